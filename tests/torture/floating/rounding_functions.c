/* floor, ceil, trunc, round, rint, nearbyint, lround, llrint, of doubles and floats. */
#include <math.h>
#include <stdio.h>

int main(void) {
    static volatile double v[] = {0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 0.49999999999999994, 4503599627370495.5, 1e17, -0.0, 2147483647.5};
    for (int i = 0; i < 11; i++) {
        float f = v[i];
        printf("%g %g %g %g %g %g ", floor(v[i]), ceil(v[i]), trunc(v[i]), round(v[i]), rint(v[i]), nearbyint(v[i]));
        printf("%g %g %g %g %g ", floorf(f), ceilf(f), truncf(f), roundf(f), rintf(f));
        printf("%lld %lld\n", llround(v[i]), llrint(v[i]));
    }
    printf("%ld %ld\n", lround(-7.5), lrint(-7.5));
    return 0;
}
