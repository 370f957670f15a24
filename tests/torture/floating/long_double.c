/* long double is double: sizes, arithmetic, formats, functions. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    volatile long double x = 1.0L / 3;
    printf("%zu %d %.20Lg %La\n", sizeof x, LDBL_MANT_DIG == DBL_MANT_DIG, x, x * 3);
    printf("%Lf %Le %LG\n", x * 100, x / 1e10L, (long double)1e100);
    char *end;
    long double y = strtold("2.5e3xyz", &end);
    printf("%Lg %s %Lg %Lg\n", y, end, sqrtl(y), fabsl(-x));
    return (int)floorl(2.7L);
}
