/* Values live across calls are kept, integers, doubles and 64-bit ones, however many. */
#include <stdio.h>

static __attribute__((noinline)) int clobber(int x) {
    volatile int a = x, b = a * 2, c = b - 1;
    volatile double d = c / 3.0;
    return a + b + c + (int)d;
}

int main(void) {
    int a = clobber(1), b = clobber(2), c = clobber(3), d = clobber(4), e = clobber(5), f = clobber(6), g = clobber(7), h = clobber(8);
    double p = a / 2.0, q = b / 3.0, r = c / 4.0, s = d / 5.0, t = e / 6.0, u = f / 7.0;
    long long v = (long long)g << 33, w = (long long)h << 37;
    int x = clobber(9);
    printf("%d %d %d %d %d %d %d %d %d\n", a, b, c, d, e, f, g, h, x);
    clobber(10);
    printf("%g %g %g %g %g %g %lld %lld\n", p, q, r, s, t, u, v, w);
    return 0;
}
