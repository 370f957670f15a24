/* Rotations by constants and variables, of 8, 16, 32 and 64 bits. */
#include <stdint.h>
#include <stdio.h>

static uint32_t rol32(uint32_t x, unsigned n) { return x << (n & 31) | x >> (-n & 31); }
static uint32_t ror32(uint32_t x, unsigned n) { return x >> (n & 31) | x << (-n & 31); }
static uint64_t rol64(uint64_t x, unsigned n) { return x << (n & 63) | x >> (-n & 63); }
static uint16_t rol16(uint16_t x, unsigned n) { return x << (n & 15) | x >> (-n & 15); }
static uint8_t ror8(uint8_t x, unsigned n) { return x >> (n & 7) | x << (-n & 7); }

int main(void) {
    volatile uint64_t x = 0x8123456789abcdefull;
    for (volatile unsigned n = 0; n < 66; n += 3)
        printf("%08x %08x %016llx %04x %02x\n", rol32(x, n), ror32(x, n), (unsigned long long)rol64(x, n), rol16(x, n), ror8(x, n));
    printf("%08x %08x %016llx\n", rol32(x, 1), ror32(x, 31), (unsigned long long)rol64(x, 32));
    return 0;
}
