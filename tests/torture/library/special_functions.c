/* erf, erfc, tgamma, lgamma, and inverse hyperbolic functions to 12 digits. */
#include <math.h>
#include <stdio.h>

int main(void) {
    for (double x = 0.3; x < 5; x += 0.9) printf("%.11e %.11e %.11e %.11e %.11e\n", erf(x), erfc(x), tgamma(x), lgamma(x), asinh(x));
    printf("%.11e %.11e %g\n", acosh(1.5), atanh(0.5), tgamma(5));
    return 0;
}
