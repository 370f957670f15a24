/* Infinities, NaN and zeros through the functions of <math.h>, by annex F. */
#include <math.h>
#include <stdio.h>

int main(void) {
    volatile double z = 0, one = 1;
    double inf = one / z, n = z / z;
    printf("%g %g %g %g\n", exp(-inf), exp(inf), log(z), pow(inf, -1));
    printf("%d %d %d %d\n", isnan(log(-one)) != 0, isnan(sqrt(-one)) != 0, isnan(sin(inf)) != 0, isnan(pow(-8, one / 3)) != 0);
    printf("%g %g %g %g\n", pow(n, 0), pow(1, n), atan2(z, -one), atan2(-z, -inf));
    printf("%g %g %g %g\n", hypot(inf, n), fmod(5, inf), sqrt(inf), cbrt(-inf));
    printf("%g %g %g\n", tanh(inf), erf(-inf), floor(-inf));
    return 0;
}
