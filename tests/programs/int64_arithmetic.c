/* 64-bit integers: every operator, signed and unsigned, at the borders; most are calls into libgcc on a 32-bit machine. */
#include <stdio.h>

#include "testing.h"

static const int64_t edges[] = {0, 1, -1, 2, -2, 7, -7, 10, 0x7fffffffLL, 0x80000000LL, -0x80000000LL, 0xffffffffLL, 0x100000000LL,
                                -0x100000000LL, 0x123456789abcdefLL, -0x123456789abcdefLL, INT64_MAX, INT64_MIN, INT64_MIN + 1, 1000000007LL};
enum { EDGES = sizeof edges / sizeof *edges };

static uint32_t signed_sum = HASH_START, unsigned_sum = HASH_START;

static void both(int64_t a, int64_t b) {
    uint64_t u = (uint64_t)a, v = (uint64_t)b;
    unsigned_sum = hash_u64(unsigned_sum, u + v);
    unsigned_sum = hash_u64(unsigned_sum, u - v);
    unsigned_sum = hash_u64(unsigned_sum, u * v);
    if (v) {
        unsigned_sum = hash_u64(unsigned_sum, u / v);
        unsigned_sum = hash_u64(unsigned_sum, u % v);
    }
    unsigned_sum = hash_u64(unsigned_sum, (u & v) ^ (u | ~v));
    unsigned_sum = hash_u64(unsigned_sum, u << (v & 63));
    unsigned_sum = hash_u64(unsigned_sum, u >> (v & 63));
    unsigned_sum = hash_u32(unsigned_sum, (uint32_t)(u < v) | (uint32_t)(u <= v) << 1 | (uint32_t)(u == v) << 2 | (uint32_t)(u > v) << 3);
    if (b && !(a == INT64_MIN && b == -1)) {
        signed_sum = hash_u64(signed_sum, (uint64_t)(a / b));
        signed_sum = hash_u64(signed_sum, (uint64_t)(a % b));
    }
    signed_sum = hash_u64(signed_sum, (uint64_t)(a >> (v & 63)));
    signed_sum = hash_u32(signed_sum, (uint32_t)(a < b) | (uint32_t)(a <= b) << 1 | (uint32_t)(a != b) << 2 | (uint32_t)(a >= b) << 3);
    signed_sum = hash_u32(signed_sum, a ? 1u : 2u);
}

static uint64_t power(uint64_t base, unsigned exponent, uint64_t modulus) {
    uint64_t result = 1;
    for (; exponent; exponent >>= 1, base = base * base % modulus)
        if (exponent & 1) result = result * base % modulus;
    return result;
}

static uint64_t gcd(uint64_t a, uint64_t b) { return b ? gcd(b, a % b) : a; }

int main(void) {
    for (int i = 0; i < EDGES; i++)
        for (int j = 0; j < EDGES; j++) both(edges[i], edges[j]);
    printf("edges %08x %08x\n", signed_sum, unsigned_sum);
    for (int i = 0; i < EDGES; i++) {
        volatile int64_t a = edges[i];
        printf("%lld: /10 %lld %%10 %lld >>5 %lld u/10 %llu (int) %d (unsigned char) %d\n", (long long)a, (long long)(a / 10), (long long)(a % 10),
               (long long)(a >> 5), (unsigned long long)((uint64_t)a / 10), (int)(a & 0x7fffffff), (unsigned char)a);
    }
    uint32_t random = 2024;
    for (int i = 0; i < 300; i++) {
        uint64_t a = next_random64(&random), b = next_random64(&random);
        unsigned narrow = next_random(&random) & 63; /* quotients of every length */
        both((int64_t)a, (int64_t)(b >> narrow));
        both((int64_t)(a >> narrow), (int64_t)b);
    }
    printf("random %08x %08x\n", signed_sum, unsigned_sum);
    for (unsigned n = 0; n < 64; n += 7) {
        volatile uint64_t one = 1;
        volatile int64_t minus = INT64_MIN;
        printf("%u: %llx %llx %llx\n", n, (unsigned long long)(one << n), (unsigned long long)(minus >> n), (unsigned long long)((uint64_t)minus >> n));
    }
    volatile int32_t x = -123456789, y = 987654321;
    volatile uint32_t ux = 0xf0000001u, uy = 0xe0000003u;
    printf("%lld %llu\n", (long long)x * y, (unsigned long long)ux * uy);
    printf("%llu %llu\n", (unsigned long long)power(3, 1000003, 1000000007), (unsigned long long)gcd(600851475143ull * 12, 1ull << 40));
    int64_t counter = -3;
    while (counter++ < 3) printf("%lld ", (long long)counter);
    printf("\n");
    return 0;
}
