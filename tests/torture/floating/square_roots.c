/* sqrt and sqrtf are correctly rounded. */
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
    volatile double x = 2;
    for (int i = 0; i < 40; i++) {
        printf("%s %s\n", bits(sqrt(x)), bits(sqrtf((float)x)));
        x = x * 1.7 + 1.0 / (i + 3);
    }
    volatile double tiny = 0x1p-1074, huge = 0x1.fffffffffffffp1023;
    printf("%s %s %s\n", bits(sqrt(tiny)), bits(sqrt(huge)), bits(sqrtf(0x1p-149f)));
    return 0;
}
