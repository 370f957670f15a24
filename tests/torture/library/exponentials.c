/* exp, log, pow and kin to 13 digits, and their exact cases. */
#include <math.h>
#include <stdio.h>

int main(void) {
    for (double x = 0.1; x < 30; x *= 1.9) printf("%.12e %.12e %.12e %.12e %.12e %.12e %.12e\n", exp(x), exp2(x), expm1(x), log(x), log2(x), log10(x), log1p(x));
    for (double x = -3; x < 3; x += 0.7) printf("%.12e %.12e %.12e %.12e\n", sinh(x), cosh(x), tanh(x), cbrt(x));
    printf("%g %g %g %g %g %g\n", pow(2, 10), pow(-2, 3), pow(9, 0.5), pow(0, 0), pow(10, -3), pow(1.5, 4));
    printf("%g %g %g %g\n", exp(0), log(1), exp(-1000), log10(1000));
    printf("%.5e %.5e %.5e\n", expf(1.5f), logf(7), powf(2.5f, 3.5f));
    return 0;
}
