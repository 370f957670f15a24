/* printf of floating point: e f g a, widths, precisions, rounding, tiny and huge values, infinities and NaN. */
#include <float.h>
#include <math.h>
#include <stdio.h>

int main(void) {
    static const double values[] = {0.0, -0.0, 1.0, -1.5, 0.1, 123.456, 1e10, 1e-10, 99999.5, 999998.5, 1234567.0, 0.0001, 0.00001, 2.5, 3.5, 1e100, 1e-100, 0x1.fffffffffffffp+52};
    for (int i = 0; i < 18; i++) {
        double v = values[i];
        printf("[%f][%e][%g][%.3f][%.0f][%10.2f][%-10.2f][%+.1f][% .2f][%010.3f]\n", v, v, v, v, v, v, v, v, v, v);
        printf("[%.10e][%.0e][%E][%G][%.15g][%.17g][%#g][%#.0f][%12.4e]\n", v, v, v, v, v, v, v, v, v);
    }
    static const double special[] = {DBL_MAX, DBL_MIN, 5e-324, DBL_EPSILON, INFINITY, -INFINITY};
    for (int i = 0; i < 6; i++) {
        double v = special[i];
        printf("[%g][%e][%.17g][%10g][%-10g][%+g][%G]\n", v, v, v, v, v, v, v);
    }
    printf("[%f][%.2f]\n", 1e22, 1e15 / 3);
    double nan = fabs((double)NAN);
    printf("[%g][%f][%E][%8g][%-8f]\n", nan, nan, nan, nan, nan);
    /* Ties go to even, on the value that is really there. */
    printf("[%.0f][%.0f][%.0f][%.0f][%.1f][%.1f][%.2f][%.2f]\n", 0.5, 1.5, 2.5, 3.5, 0.25, 0.35, 1.005, 2.675);
    printf("[%.20f][%.25e][%.30g]\n", 0.1, 0.1, 0.1);
    printf("[%a][%a][%a][%A][%.3a]\n", 1.0, -0.375, 1e10, 3.0, 1.5);
    printf("[%*.*f][%-*.*e]\n", 12, 3, 3.14159, 15, 2, 3.14159);
    printf("[%f][%g][%d][%f][%lld][%g]\n", 1.5, 2.5, 7, 3.5, 1LL << 40, 4.5);
    float single = 0.1f;
    printf("[%f][%.9g][%.12g]\n", single, single, single);
    for (int e = -320; e <= 300; e += 62) printf("[%.17g]", pow(10, e));
    printf("\n");
    return 0;
}
