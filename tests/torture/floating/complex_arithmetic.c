/* Complex multiplication and division, with infinities and NaN after C's annex G. */
#include <complex.h>
#include <stdio.h>

static void show(double complex z) { printf("%g%+gi ", creal(z), cimag(z)); }

int main(void) {
    volatile double inf = 1e308 * 10;
    volatile double complex a = 3 + 4 * I, b = -1.5 + 0.25 * I, huge = CMPLX(inf, 1), zero = 0;
    show(a * b), show(a / b), show(b / a), show(a - ~b), show(huge * a), show(a / huge), show(a / zero);
    float complex f = a;
    f *= f;
    f /= 2.0f * I;
    show(f);
    printf("%d %d\n", a == conj(conj(a)), a != b);
    return 0;
}
