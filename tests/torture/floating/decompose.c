/* frexp, ldexp, modf, scalbn, logb, ilogb, nextafter, copysign, fmod, remainder: all exact. */
#include <math.h>
#include <stdio.h>

static const char *bits(double d) {     /* not %a: libraries may write denormal numbers in several ways */
    static char text[8][20];
    static int next;
    union { double d; unsigned long long u; } u = {d};
    sprintf(text[++next & 7], "%016llx", u.u);
    return text[next & 7];
}

int main(void) {
    static volatile double v[] = {1, -0.75, 1e300, 0x1p-1074, 123456.789, -0.1, 0};
    for (int i = 0; i < 7; i++) {
        int e;
        double whole, m = frexp(v[i], &e), f = modf(v[i], &whole);
        printf("%s %d %s %s %s %s ", bits(m), e, bits(f), bits(whole), bits(ldexp(v[i], -3)), bits(scalbn(v[i], 7)));
        if (v[i] != 0) printf("%g %d ", logb(v[i]), ilogb(v[i]));
        printf("%s %s %s %s\n", bits(nextafter(v[i], 2)), bits(copysign(v[i], -1)), bits(fmod(v[i], 0.7)), bits(remainder(v[i], 0.7)));
    }
    int q;
    printf("%g %d\n", remquo(29, 3, &q), q & 7);
    return 0;
}
