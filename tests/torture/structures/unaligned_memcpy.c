/* memcpy of a few bytes is how portable code reads unaligned words; every width and offset. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    unsigned char bytes[24];
    for (int i = 0; i < 24; i++) bytes[i] = i * 37 + 130;
    for (volatile int at = 0; at < 9; at++) {
        uint16_t h;
        uint32_t w;
        uint64_t d;
        double f;
        memcpy(&h, bytes + at, 2);
        memcpy(&w, bytes + at, 4);
        memcpy(&d, bytes + at, 8);
        memcpy(&f, bytes + at, 8);
        d++;
        memcpy(bytes + at + 3, &d, 8);
        printf("%04x %08x %016llx %a\n", h, w, (unsigned long long)d, f);
    }
    return bytes[11];
}
