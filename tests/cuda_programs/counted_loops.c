/* Loops whose rounds kernels count before they begin (assembler/blocks/counted_loops.hpp), with bounds, steps and addresses that no compiler knows: each PE
 * has others. `KIND` on the command line: what one of them does wrong in the midst of its rounds. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tell.h"

#define NOINLINE __attribute__((noinline))
enum { COUNT = 600 };
static unsigned words[COUNT];
static unsigned short halves[COUNT];
static signed char bytes[COUNT];
static double doubles[COUNT];
static const unsigned constants[8] = {1, 2, 3, 4, 5, 6, 7, 8};

/* One after the other, up, down, and by steps that are constant or the caller's. */
NOINLINE static unsigned add_up(const unsigned *p, const unsigned *end) {
    unsigned sum = 0;
    do sum += *p++ * 3; while (p != end);
    return sum;
}
NOINLINE static unsigned add_down(const unsigned *p, int n) {
    unsigned sum = 0;
    while (n-- > 0) sum = sum * 5 + p[n];
    return sum;
}
NOINLINE static unsigned product(const unsigned *row, const unsigned *column, int n, int stride) {
    unsigned sum = 0;
    for (int i = 0; i < n; i++) sum += row[i] * column[i * stride];
    return sum;
}
NOINLINE static unsigned every_third(const unsigned short *p, unsigned n) {
    unsigned sum = 0;
    for (unsigned i = 0; i < n; i += 3) sum += sum / 2 + p[i];
    return sum;
}
NOINLINE static void mark(signed char *p, unsigned from, unsigned size, unsigned step) {
    for (unsigned k = from; k < size; k += step) p[k] = (signed char)(p[k] + step);
}
NOINLINE static int difference(const signed char *p, const signed char *q, int n) {
    int sum = 0;
    for (int i = n - 1; i >= 0; i--) sum = sum * 3 + p[i] - q[n - i];
    return sum;
}
NOINLINE static double scale(double *p, const double *q, double by, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) p[i] = p[i] * by + q[i], sum += p[i];
    return sum;
}
/* Where an address comes from memory, or something may stop a PE, beside others that go on. */
NOINLINE static unsigned gather(const unsigned *at, const unsigned *from, int n) {
    unsigned sum = 0;
    for (int i = 0; i < n; i++) sum += from[at[i] % COUNT];
    return sum;
}
NOINLINE static unsigned chain(const unsigned *next, unsigned at, int n) {
    while (n-- > 0) at = next[at] % COUNT;
    return at;
}
NOINLINE static unsigned shuffle(unsigned x, unsigned n) {
    do x = x * 1103515245u + 12345u, x ^= x >> 9; while (--n != 0);
    return x;
}
NOINLINE static void copy_over(unsigned *to, const unsigned *from, int n) {
    for (int i = 0; i < n; i++) to[i] = from[i] + 1;
}
/* Where some bits say which of a table, which may be elsewhere in each call. */
NOINLINE static unsigned by_table(const unsigned *table, const unsigned char *p, int n) {
    unsigned x = ~0u;
    for (int i = 0; i < n; i++) x = x >> 8 ^ table[(x ^ p[i]) & 0xff];
    return x;
}
NOINLINE static void count_in(unsigned *counts, const unsigned short *p, int n) {
    for (int i = 0; i < n; i++) counts[p[i] >> 9]++;
}
/* Counters that go round the end of the numbers. */
NOINLINE static unsigned around(unsigned from, unsigned to, unsigned x) {
    for (unsigned i = from; i != to; i += 4) x = x * 7 + i;
    return x;
}

NOINLINE static unsigned read_on(const unsigned *p, int n) {
    unsigned sum = 0;
    for (int i = 0; i < n; i++) sum += p[i];
    return sum;
}
NOINLINE static void fill(unsigned *p, int n, unsigned value) {
    for (int i = 0; i < n; i++) p[i] = value;
}
NOINLINE static void fill_down(unsigned *p, unsigned n) {
    while (n-- > 0) *p-- = n;
}

int main(int argc, char **argv) {
    unsigned random = IPROC * 2654435761u + 1, sum = 0;
    for (int i = 0; i < COUNT; i++) {
        random = random * 1664525u + 1013904223u;
        words[i] = random >> 3, halves[i] = (unsigned short)(random >> 7), bytes[i] = (signed char)(random >> 11), doubles[i] = (double)(random >> 20) / 7;
    }
    const char *kind = argc > 1 ? argv[1] : "";
    if (IPROC == 5) {
        if (strcmp(kind, "beyond") == 0) tell(read_on(words, 1 << 28));
        if (strcmp(kind, "aside") == 0) tell(read_on((const unsigned *)((const char *)words + 2), 90));
        if (strcmp(kind, "constant") == 0) fill((unsigned *)constants, 8, 9);
        if (strcmp(kind, "below") == 0) fill_down(words + 100, 1u << 28);
        if (strcmp(kind, "table") == 0) tell(by_table((const unsigned *)&kind + 100000, (const unsigned char *)bytes, 500));
        if (strcmp(kind, "counts") == 0) count_in((unsigned *)constants, halves, 500);
        if (strcmp(kind, "stride") == 0) tell(product(words, words, 500, 1 << 20));
    }
    for (unsigned round = 0; round < 6; round++) {
        const unsigned n = shuffle(random + round, 3 + (IPROC & 7)) % 250 + 1, m = n / 2 + 1, s = random % 5 + 1;
        sum = sum * 31 + add_up(words + m, words + m + n);
        sum = sum * 31 + add_down(words + s, (int)n);
        sum = sum * 31 + product(words + s, words, (int)(COUNT / 8 > n ? n : COUNT / 8), (int)s);
        sum = sum * 31 + every_third(halves + s, n);
        mark(bytes, s, n, s);
        mark(bytes, m, m + 5, 0x80000001u);
        sum = sum * 31 + (unsigned)difference(bytes + 1, bytes + s, (int)n);
        sum = sum * 31 + (unsigned)(long long)scale(doubles + m, doubles, s * 0.5, (int)n);
        sum = sum * 31 + gather(words + m, words, (int)n);
        sum = sum * 31 + chain(words, n, (int)m);
        copy_over(words + 1, words, (int)n);         /* each is the one before, and 1 */
        copy_over(words + m, words + m + 1, (int)n);
        sum = sum * 31 + by_table(words + m, (const unsigned char *)bytes + s, (int)n);
        count_in(words + n, halves + s, (int)m);
        sum = sum * 31 + around(0u - 4 * m, 4 * n, random);
        random = random * 1664525u + sum;
    }
    tell(sum);
    return 0;
}
