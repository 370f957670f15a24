/* Math functions that become instructions or constants. */
#include <math.h>
#include <stdio.h>

int main(void) {
    volatile double x = -2.25, y = 9, z = 0;
    volatile float f = -1.5f;
    printf("%g %g %g %g\n", __builtin_fabs(x), __builtin_sqrt(y), __builtin_copysign(y, x), __builtin_fabsf(f));
    printf("%g %g %d %d %d\n", __builtin_huge_val(), __builtin_inf(), __builtin_isnan(z / z), __builtin_isinf_sign(-1 / z), __builtin_signbit(x) != 0);
    printf("%d %d %d\n", __builtin_isgreater(y, x), __builtin_isunordered(x, z / z), __builtin_islessgreater(y, y));
    printf("%d %d\n", __builtin_fpclassify(1, 2, 3, 4, 5, y), __builtin_fpclassify(1, 2, 3, 4, 5, z));
    printf("%g %g %g\n", __builtin_powi(1.5, 7), __builtin_powi(y, -2), __builtin_fmin(x, y));
    printf("%ld %g %g\n", __builtin_lrint(2.5), __builtin_trunc(x), __builtin_floor(x));
    return 0;
}
