/* Floating-point builtins that work on bits: signbit, copysign, fabs of NaN, isfinite in conditions. */
#include <stdio.h>

int main(void) {
    volatile double v[] = {1.5, -0.0, 1e308 * 10, -1e308 * 10};
    volatile float f = -0.0f;
    for (int i = 0; i < 4; i++)
        printf("%d %d %d %g ", __builtin_signbit(v[i]) != 0, __builtin_isfinite(v[i]) != 0, __builtin_isnormal(v[i]) != 0, __builtin_copysign(3, v[i]));
    printf("%d %g %d\n", __builtin_signbitf(f) != 0, __builtin_copysignf(2, f), __builtin_isinf_sign(v[3]));
    return 0;
}
