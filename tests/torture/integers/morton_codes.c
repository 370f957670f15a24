/* Bits of two numbers interleaved and taken apart, in 32 and 64 bits. */
#include <stdint.h>
#include <stdio.h>

static uint64_t spread(uint64_t x) {
    x = (x | x << 16) & 0x0000ffff0000ffffull, x = (x | x << 8) & 0x00ff00ff00ff00ffull, x = (x | x << 4) & 0x0f0f0f0f0f0f0f0full;
    x = (x | x << 2) & 0x3333333333333333ull;
    return (x | x << 1) & 0x5555555555555555ull;
}
static uint32_t gather(uint64_t x) {
    uint32_t r = 0;
    for (int i = 0; i < 32; i++) r |= (uint32_t)(x >> (2 * i) & 1) << i;
    return r;
}

int main(void) {
    int bad = 0;
    for (uint32_t a = 1, b = 77; a < 0xf0000000u; a = a * 5 + 3, b = b * 9 + 1) {
        uint64_t m = spread(a) | spread(b) << 1;
        bad += gather(m) != a || gather(m >> 1) != b;
        printf("%016llx ", (unsigned long long)m);
    }
    printf("%d\n", bad);
    return bad;
}
