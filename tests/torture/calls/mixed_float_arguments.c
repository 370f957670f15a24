/* o32 passes floats in registers only until the first integer. */
#include <stdio.h>

static __attribute__((noinline)) double a(float x, int y, double z) { return x + y * z; }
static __attribute__((noinline)) double b(double x, float y, int z) { return x - y / z; }
static __attribute__((noinline)) double c(int x, float y, double z, float w) { return x * y + z - w; }
static __attribute__((noinline)) float d(float x, float y, float z) { return x * 100 + y * 10 + z; }
static __attribute__((noinline)) double e(double x, double y, double z, double w) { return x + y * 2 + z * 3 + w * 4; }
static __attribute__((noinline)) double f(float x, double y, long long z, float w) { return x + y + z + w; }

int main(void) {
    printf("%g %g %g %g %g %g\n", a(1.5f, 2, 3.25), b(1e3, 7, 2), c(3, 0.5f, 8, 0.125f), d(1, 2, 3), e(1, 2, 3, 4), f(0.5f, 0.25, 1ll << 33, 3));
    return 0;
}
