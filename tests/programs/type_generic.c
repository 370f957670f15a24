/* type_generic.c: <tgmath.h> calls the function of the argument's type. */
#include <stdio.h>
#include <tgmath.h>

#define SIZE(x) printf("%s %d\n", #x, (int)sizeof(x))

int main(void) {
    float f = 2;
    double d = 2;
    float complex cf = 3 - 4 * I;
    double complex cd = 3 + 4 * I;
    int exponent, quotient, i = 16;
    SIZE(sqrt(f)); SIZE(sqrt(d)); SIZE(sqrt(i)); SIZE(sqrt(cf)); SIZE(sqrt(cd)); SIZE(pow(f, cd)); SIZE(pow(f, f)); SIZE(pow(f, d));
    SIZE(fabs(cf)); SIZE(fabs(cd)); SIZE(creal(cf)); SIZE(cimag(d)); SIZE(fma(f, f, f)); SIZE(fma(f, f, 1)); SIZE(nextafter(f, f));
    SIZE(nexttoward(f, d)); SIZE(frexp(f, &exponent)); SIZE(remquo(f, d, &quotient)); SIZE(ldexp(f, 3)); SIZE(lround(f)); SIZE(llround(d));
    printf("%g %g %g %g\n", (double)sqrt(f * 8), sqrt(i), fabs(cd), (double)fabs(cf));
    printf("%g %g %g\n", (double)creal(sqrt(cf)), (double)cimag(sqrt(cf)), cimag(conj(cd)));
    printf("%a %a\n", (double)nextafter(f, 3), nextafter(d, 3));
    printf("%g %d %g %d\n", (double)frexp(f * 5, &exponent), exponent, remquo(d * 5, 3, &quotient), quotient & 7);
    printf("%g %g %g\n", ldexp(d, 3), (double)fmax(f, 3.0f), hypot(3, i - 12));
    printf("%d %d %ld\n", sqrt(f) == sqrtf(f), sin(d) == (sin)(d), lround(d * 1.25));
    return 0;
}
