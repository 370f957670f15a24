/* fmin, fmax, fdim, fma with NaN and signed zeros. */
#include <math.h>
#include <stdio.h>

int main(void) {
    volatile double n = 0.0 / 0.0 * 0, one = 1, two = 2;
    volatile double nan_ = NAN;
    printf("%g %g %g %g\n", fmin(one, nan_), fmax(nan_, two), fmin(one, two), fmax(one, two));
    printf("%g %g %d\n", fdim(two, one), fdim(one, two), isnan(fmin(nan_, nan_)));
    printf("%a %a\n", fma(1 + 0x1p-30, 1 + 0x1p-30, -1 - 0x1p-29), fma(one, two, 3));
    printf("%a\n", fmaf(1 + 0x1p-12f, 1 + 0x1p-12f, -1 - 0x1p-11f));
    return n == n ? 1 : 0;
}
