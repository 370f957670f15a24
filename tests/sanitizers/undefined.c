/* undefined.c: each kind of undefined behaviour that gcc finds, some of them in several ways. What `limit` is, gcc cannot know. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static volatile int zero = 0, one = 1, minus = -1, big = INT_MAX, least = INT_MIN;
static volatile long long wide = LLONG_MAX, wide_least = LLONG_MIN;
static volatile unsigned char raw = 7;
static volatile double large = 1e20, below = -3.5e9;
static volatile float small_large = 3e10f;
static volatile int sink;
static volatile long long wide_sink;

struct pair {
    int a, b[3];
    char c[2][5];
};
enum colour { red, green };

__attribute__((nonnull(1))) static int first(const char *text, int n) { return text ? text[0] + n : n; }
__attribute__((returns_nonnull)) static char *never_null(char *p) { return p; }
static char *volatile no_text = NULL;
static struct pair *volatile no_pair = NULL;

static void integers(void) {
    sink = big + one;
    sink = least - one;
    sink = big * 2;
    sink = minus * least;
    sink = -least;
    sink = abs(least);
    wide_sink = wide + one;
    wide_sink = wide_least - big;
    wide_sink = wide * 3;
    wide_sink = -wide_least;
    signed char little = 100;
    little += big;
    sink = little;
    for (int i = 0; i < 3; ++i) sink = big + i + 1;
    sink += big;
    int up = big;
    ++up;
    sink = up--;
    sink = big
         + big;
}

static void shifts(void) {
    sink = one << 32;
    sink = one << big;
    sink = one << minus;
    sink = one >> minus;
    sink = minus << 1;
    sink = big << 1;
    sink = 1 << 31 << one;
    wide_sink = wide << 2;
    wide_sink = (long long)one << 64;
    wide_sink = (unsigned long long)one >> 70;
    sink = (unsigned char)one << 33;
}

static void arrays(int n) {
    struct pair all = {0};
    static int table[4];
    sink = table[n + 4];
    sink = all.b[n + 3];
    all.c[n + 1][5 + n] = 1;
    all.c[2 + n][0] = 1;
    sink = all.b[minus];
    sink = all.c[0][0];
    char variable[n - 3 > 0 ? n : n + 1];
    variable[0] = 1;
    sink = variable[n * 7 + 3];
}

static int bound(int n) {
    char room[n];
    return sizeof room;
}

static void pointers(void) {
    static char bytes[16];
    char *volatile somewhere = bytes;
    char *volatile none = NULL;
    sink = (int)(unsigned long)(somewhere + (unsigned long)-40 - (unsigned long)somewhere);
    somewhere = none + 5;
    somewhere = somewhere - 5;
}

static void values(void) {
    _Bool *volatile flag = (_Bool *)&raw;
    sink = *flag;
    sink = __builtin_ctz(zero);
    sink = __builtin_clz(zero);
    sink = __builtin_ctzll(zero);
}

static void attributes(void) {
    sink = first(no_text, 3);
    sink = never_null(no_text) == NULL;
    memcpy(bound(zero + 1) ? (void *)&wide_sink : NULL, no_text, zero);
}

static void conversions(void) {
    sink = (int)large;
    sink = (unsigned)below;
    sink = (short)large;
    wide_sink = (long long)large;
    sink = (int)small_large;
    sink = (signed char)(large * 10);
}

static int returns(int n) {
    if (n > 5) __builtin_unreachable();
    return n;
}

/* What ends a program on some machine, each by itself. */
static int one_of(const char *what) {
    static char bytes[16] __attribute__((aligned(8)));
    int *volatile odd = (int *)(bytes + 1);
    short *volatile odd_short = (short *)(bytes + 3);
    static const char *const names[] = {"load", "store", "unreachable", "bounds", "zero", "by -1", "rest by -1", "wide by -1", "odd", "odd store",
                                        "odd short"};
    size_t n = 0;
    while (n < sizeof names / sizeof *names && strcmp(what, names[n]) != 0) ++n;
    switch (n) {
        case 0: return no_pair->b[0];
        case 1: return no_pair->a = 1;
        case 2: return returns(big);
        case 3: return bound(minus) + bound(zero);
        case 4: return big / zero;
        case 5: return least / minus;
        case 6: return least % minus;
        case 7: return (int)(wide_least / minus);
        case 8: return *odd;
        case 9: *odd = 4; return 0;
        case 10: *odd_short = 4; return 0;
        default: return -1;
    }
}

int main(int argc, char **argv) {
    if (argc > 1) return one_of(argv[1]);
    integers();
    shifts();
    arrays(zero);
    pointers();
    values();
    attributes();
    conversions();
    fputs("end\n", stderr);
    return 0;
}
