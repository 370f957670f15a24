/* A Fourier transform of numbers modulo a prime, there and back. */
#include <cilk/cilk.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { PRIME = 998244353, FEW = 16 };

static uint32_t times(uint32_t a, uint32_t b) { return (uint32_t)((uint64_t)a * b % PRIME); }
static uint32_t power(uint32_t base, uint32_t exponent) {
    uint32_t result = 1;
    for (; exponent; exponent >>= 1, base = times(base, base))
        if (exponent & 1) result = times(result, base);
    return result;
}

/* `root` has the order n. The halves' transforms come from numbers at even and at odd places. */
static void transform(const uint32_t *from, uint32_t *to, int n, int step, uint32_t root) {
    if (n == 1) {
        *to = *from;
        return;
    }
    const int h = n / 2;
    if (n > FEW) {
        cilk_spawn transform(from, to, h, 2 * step, times(root, root));
        transform(from + step, to + h, h, 2 * step, times(root, root));
        cilk_sync;
    } else {
        transform(from, to, h, 2 * step, times(root, root));
        transform(from + step, to + h, h, 2 * step, times(root, root));
    }
    uint32_t factor = 1;
    for (int i = 0; i < h; ++i, factor = times(factor, root)) {
        const uint32_t even = to[i], odd = times(to[h + i], factor);
        to[i] = (even + odd) % PRIME;
        to[h + i] = (even + PRIME - odd) % PRIME;
    }
}

int main(int argc, char **argv) {
    const int n = argc > 1 ? atoi(argv[1]) : 2048;
    const uint32_t root = power(3, (PRIME - 1) / n), back = power(root, PRIME - 2), share = power(n, PRIME - 2);
    uint32_t *numbers = malloc(n * sizeof *numbers), *there = malloc(n * sizeof *there), *again = malloc(n * sizeof *again), hash = 0, random = 7;
    for (int i = 0; i < n; ++i) numbers[i] = (random = random * 1664525 + 1013904223) % PRIME;
    transform(numbers, there, n, 1, root);
    transform(there, again, n, 1, back);
    int wrong = 0;
    for (int i = 0; i < n; ++i) hash = hash * 31 + there[i], wrong += times(again[i], share) != numbers[i];
    printf("%d: %08lx, %d differ\n", n, (unsigned long)hash, wrong);
    free(numbers);
    free(there);
    free(again);
    return 0;
}
