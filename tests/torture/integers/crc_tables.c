/* CRC-8, CRC-16 and CRC-32, bit by bit and by a table made at run time: they must agree. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint32_t table[256];

int main(void) {
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t c = i;
        for (int k = 0; k < 8; k++) c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1;
        table[i] = c;
    }
    const char *text = "The quick brown fox jumps over the lazy dog";
    uint32_t c32 = ~0u, slow = ~0u;
    uint16_t c16 = 0xffff;
    uint8_t c8 = 0;
    for (const char *p = text; *p; p++) {
        c32 = table[(c32 ^ *p) & 255] ^ c32 >> 8;
        slow ^= (uint8_t)*p;
        c16 ^= *p << 8;
        c8 ^= *p;
        for (int k = 0; k < 8; k++) {
            slow = slow >> 1 ^ (0xedb88320u & -(slow & 1));
            c16 = c16 & 0x8000 ? c16 << 1 ^ 0x1021 : c16 << 1;
            c8 = c8 & 0x80 ? c8 << 1 ^ 0x07 : c8 << 1;
        }
    }
    printf("%08x %08x %04x %02x\n", ~c32, ~slow, c16, c8);
    return c32 == slow ? 0 : 1;
}
