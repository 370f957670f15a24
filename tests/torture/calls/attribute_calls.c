/* Attributes of functions that change calls: const, pure, always_inline, noinline, flatten, hot, cold, returns_nonnull. */
#include <stdio.h>

static int count;
static __attribute__((const)) int square(int x) { return x * x; }
static __attribute__((pure)) int look(void) { return count; }
static inline __attribute__((always_inline)) int bump(int by) { return count += by; }
static __attribute__((noinline, noclone)) int slow(int x) { return bump(x) + square(x); }
static __attribute__((flatten, hot)) int flat(int x) { return slow(x) + square(slow(1)); }
static __attribute__((cold, returns_nonnull)) const char *rare(void) { return "rare"; }
static __attribute__((optimize("O3"))) int tuned(const int *v) { int s = 0; for (int i = 0; i < 16; i++) s += v[i] * i; return s; }

int main(void) {
    int v[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    int before = look();
    int r = flat(3);
    printf("%d %d %d %s %d\n", before, r, look(), rare(), tuned(v));
    return 0;
}
