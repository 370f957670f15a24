/* Shifts and rotations: every amount, constant and variable, signed and unsigned, 8 to 64 bits, and bit counting. */
#include <stdio.h>

#include "testing.h"

static uint32_t rotate_left(uint32_t x, unsigned n) { return x << (n & 31) | x >> (-n & 31); }
static uint64_t rotate_left64(uint64_t x, unsigned n) { return x << (n & 63) | x >> (-n & 63); }

static uint32_t reverse(uint32_t x) {
    x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
    x = (x >> 8 & 0x00ff00ffu) | (x & 0x00ff00ffu) << 8;
    return x >> 16 | x << 16;
}

int main(void) {
    volatile uint32_t u = 0x80000001u;
    volatile int32_t s = -0x7654321;
    volatile uint64_t uu = 0x8123456789abcdefull;
    volatile int64_t ss = -0x123456789abcdefll;
    for (int n = 0; n < 32; n += 3) {
        volatile int amount = n;
        printf("%2d: %08x %08x %08x %08x %08x\n", n, u << amount, u >> amount, (uint32_t)(s >> amount), (uint32_t)s << amount, rotate_left(u, (unsigned)amount));
    }
    for (int n = 0; n < 64; n += 9) {
        volatile int amount = n;
        printf("%2d: %016llx %016llx %016llx %016llx\n", n, (unsigned long long)(uu << amount), (unsigned long long)(uu >> amount), (unsigned long long)(ss >> amount),
               (unsigned long long)rotate_left64(uu, (unsigned)amount));
    }
    printf("%x %x %x %x %x %x\n", u << 1, u >> 31, (unsigned)(s >> 31), u << 31, (uint32_t)(uu >> 32), (uint32_t)(uu << 32 >> 33));
    volatile unsigned char c = 0x96;
    volatile signed char sc = (signed char)0x96;
    volatile unsigned short h = 0xbeef;
    volatile short sh = (short)0xbeef;
    printf("%x %x %x %x\n", c >> 3, (unsigned)(sc >> 3), h >> 5, (unsigned)(sh >> 5));
    for (uint32_t x = 1; x; x = x * 5 + (x >> 28)) {
        printf("%08x: %d %d %d %d %08x %08x\n", x, __builtin_popcount(x), __builtin_clz(x), __builtin_ctz(x), __builtin_parity(x), __builtin_bswap32(x), reverse(x));
        if (x > 0xe0000000u) break;
    }
    uint64_t y = 0x00f0000000001000ull;
    printf("%d %d %d %d %016llx\n", __builtin_popcountll(y), __builtin_clzll(y), __builtin_ctzll(y), __builtin_ffsll((long long)y), (unsigned long long)__builtin_bswap64(y));
    uint32_t random = 5, sum = HASH_START;
    for (int i = 0; i < 500; i++) {
        uint32_t x = next_random(&random), n = next_random(&random);
        sum = hash_u32(sum, x << (n & 31));
        sum = hash_u32(sum, x >> (n >> 5 & 31));
        sum = hash_u32(sum, (uint32_t)((int32_t)x >> (n >> 10 & 31)));
        sum = hash_u32(sum, rotate_left(x, n));
        sum = hash_u64(sum, rotate_left64((uint64_t)x << 32 | n, n >> 7));
        sum = hash_u32(sum, reverse(x) ^ __builtin_bswap32(n));
        sum = hash_u32(sum, (uint32_t)__builtin_popcount(x) + (x ? (uint32_t)__builtin_clz(x) : 32));
    }
    printf("%08x\n", sum);
    return 0;
}
