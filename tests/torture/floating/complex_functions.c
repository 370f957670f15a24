/* Functions of <complex.h> where their results are exact. */
#include <complex.h>
#include <stdio.h>

int main(void) {
    volatile double complex z = 3 - 4 * I;
    printf("%g %g %g %g\n", cabs(z), creal(conj(z)), cimag(conj(z)), cimag(cproj(z)));
    double complex r = csqrt(z);
    printf("%g %g\n", creal(r), cimag(r));
    float complex f = csqrtf(-9.0f + 0 * I);
    printf("%g %g %g\n", crealf(f), cimagf(f), cabsf(5 + 12 * I));
    printf("%.3f %.3f\n", carg(-1 + 0 * I), carg(I));
    return 0;
}
