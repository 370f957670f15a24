/* Infinities and NaN in all conversions, with widths and the zero flag. */
#include <math.h>
#include <stdio.h>

int main(void) {
    volatile double zero = 0;
    double inf = 1 / zero;
    printf("%f %F %e %g %G %a %5.1f|%-8f|%08f|%+f\n", inf, inf, -inf, inf, -inf, inf, inf, inf, inf, inf);
    printf("%f %F %g %10e|%-6g|%06g\n", NAN, NAN, NAN, NAN, NAN, NAN);
    return 0;
}
