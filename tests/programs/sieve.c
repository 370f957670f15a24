/* Primes: sieve over bits, counting, largest gaps, factorisation, perfect numbers. */
#include <stdio.h>

#include "testing.h"

enum { LIMIT = 20000 };
static unsigned composite[LIMIT / 32 + 1];

static int is_prime(int n) { return n > 1 && !(composite[n >> 5] >> (n & 31) & 1); }

int main(void) {
    for (int i = 2; i * i < LIMIT; i++)
        if (is_prime(i))
            for (int j = i * i; j < LIMIT; j += i) composite[j >> 5] |= 1u << (j & 31);
    int count = 0, last = 2, gap = 0, gap_at = 0;
    uint32_t sum = HASH_START;
    for (int i = 2; i < LIMIT; i++) {
        if (is_prime(i)) {
            count++;
            sum = hash_u32(sum, (uint32_t)i);
            if (i - last > gap) { gap = i - last; gap_at = last; }
            last = i;
        }
        if ((i + 1) % 4000 == 0) printf("%d primes below %d\n", count, i + 1);
    }
    printf("checksum %08x, gap of %d after %d, last %d\n", sum, gap, gap_at, last);
    static const unsigned numbers[] = {360, 9973, 65536, 999999, 1000003, 4294967295u};
    for (int k = 0; k < 6; k++) {
        unsigned n = numbers[k];
        printf("%u =", n);
        for (unsigned p = 2; p * p <= n; p++)
            while (n % p == 0) { printf(" %u", p); n /= p; }
        printf(n > 1 ? " %u\n" : "\n", n);
    }
    for (int n = 2; n < 600; n++) {
        int divisors = 1;
        for (int d = 2; d * d <= n; d++)
            if (n % d == 0) divisors += d + (d * d < n ? n / d : 0);
        if (divisors == n) printf("%d is perfect\n", n);
    }
    return 0;
}
