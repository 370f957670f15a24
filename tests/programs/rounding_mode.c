/* fenv.h: what of it every machine has; what is there only where its name is. */
#include <fenv.h>
#include <math.h>
#include <stdio.h>

int main(void) {
    fenv_t environment;
    printf("%d %d\n", fegetround() == FE_TONEAREST, fesetround(FE_TONEAREST));
    printf("%d %d\n", feclearexcept(0), fetestexcept(0));
    printf("%d %d %d\n", fegetenv(&environment), fesetenv(&environment), fesetenv(FE_DFL_ENV));
    printf("%d\n", fesetround(12345) != 0);
    printf("%g %g %g %ld\n", rint(2.5), rint(3.5), nearbyint(-0.5), lrint(1.5));
    return 0;
}
