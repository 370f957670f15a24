/* Euclid's algorithm, extended, binary; inverses and powers modulo a prime. */
#include <stdint.h>
#include <stdio.h>

static int extended(int a, int b, int *x, int *y) {
    if (!b) return *x = 1, *y = 0, a;
    int u, v, g = extended(b, a % b, &u, &v);
    *x = v, *y = u - a / b * v;
    return g;
}
static unsigned binary(unsigned a, unsigned b) {
    if (!a || !b) return a | b;
    int shift = __builtin_ctz(a | b);
    a >>= __builtin_ctz(a);
    while (b) {
        b >>= __builtin_ctz(b);
        if (a > b) { unsigned t = a; a = b, b = t; }
        b -= a;
    }
    return a << shift;
}
static uint32_t power(uint64_t base, uint32_t exponent, uint32_t m) {
    uint64_t r = 1;
    for (; exponent; exponent >>= 1, base = base * base % m) if (exponent & 1) r = r * base % m;
    return r;
}

int main(void) {
    for (int a = 12; a < 4000; a = a * 3 + 1) {
        int x, y, g = extended(a, 1001, &x, &y);
        printf("%d %d %d %u %u\n", g, x, y, binary(a, 840), power(a, 1000000005, 1000000007));
    }
    return 0;
}
