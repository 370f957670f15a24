/* Primes by sieve, by trial, by a wheel, by Miller and Rabin: counts agree. */
#include <stdint.h>
#include <stdio.h>

static uint32_t power(uint64_t b, uint32_t e, uint32_t m) { uint64_t r = 1; for (; e; e >>= 1, b = b * b % m) if (e & 1) r = r * b % m; return r; }
static int probable(uint32_t n) {
    if (n < 2 || n % 2 == 0) return n == 2;
    for (const uint32_t *a = (const uint32_t[]){2, 7, 61, 0}; *a; a++) {
        if (n == *a) return 1;
        uint32_t d = n - 1, s = __builtin_ctz(d), x = power(*a, d >> s, n);
        if (x == 1 || x == n - 1) continue;
        while (--s && (x = (uint64_t)x * x % n) != n - 1) {}
        if (!s) return 0;
    }
    return 1;
}

int main(void) {
    static unsigned char composite[3000];
    int a = 0, b = 0, c = 0;
    for (int i = 2; i < 3000; i++) {
        if (!composite[i]) { a++; for (int j = i * i; j < 3000; j += i) composite[j] = 1; }
        int prime = i == 2 || i % 2;
        for (int d = 3; prime && d * d <= i; d += 2) prime = i % d != 0;
        b += prime, c += probable(i);
    }
    printf("%d %d %d %d %d\n", a, b, c, probable(4294967291u), probable(4294967295u));
    return 0;
}
