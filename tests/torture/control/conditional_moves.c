/* Selections without branches: movz, movn, movf, movt by both compilers and all types. */
#include <stdio.h>

static __attribute__((noinline)) int pick(int c, int a, int b) { return c ? a : b; }
static __attribute__((noinline)) double pick_double(int c, double a, double b) { return c > 3 ? a : b; }
static __attribute__((noinline)) float by_float(float x, float a, float b) { return x < 0.5f ? a : b; }
static __attribute__((noinline)) long long wide(double x, long long a, long long b) { return x == 1 ? a : b; }
static __attribute__((noinline)) unsigned clamp(int x) { return x < 0 ? 0 : x > 255 ? 255 : x; }

int main(void) {
    for (int i = -1; i < 6; i++)
        printf("%d %g %g %lld %u\n", pick(i, 10, 20), pick_double(i, 1.5, -1.5), by_float(i / 4.0f, 7, 8), wide(i, -1, 1ll << 40), clamp(i * 60));
    return 0;
}
