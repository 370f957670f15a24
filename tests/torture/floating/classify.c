/* fpclassify, isfinite, isinf, isnan, isnormal, signbit for both widths. */
#include <math.h>
#include <stdio.h>

int main(void) {
    volatile double zero = 0;
    double v[] = {0, -0.0, 1, -1e300, 0x1p-1060, 1 / zero, -1 / zero, zero / zero};
    for (int i = 0; i < 8; i++) {
        float f = v[i];
        int c = fpclassify(v[i]), k = fpclassify(f);
        printf("%d%d%d%d%d %d%d%d%d%d %d\n", c == FP_ZERO, c == FP_SUBNORMAL, c == FP_NORMAL, c == FP_INFINITE, c == FP_NAN, isfinite(v[i]) != 0,
               isinf(v[i]) != 0, isnan(v[i]) != 0, isnormal(v[i]) != 0, i < 7 ? signbit(v[i]) != 0 : 0, k == FP_ZERO);
    }
    return 0;
}
