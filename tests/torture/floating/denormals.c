/* Arithmetic among denormal numbers of both widths: nothing is flushed. */
#include <stdio.h>

static const char *bits(double d) {     /* not %a: libraries may write denormal numbers in several ways */
    static char text[8][20];
    static int next;
    union { double d; unsigned long long u; } u = {d};
    sprintf(text[++next & 7], "%016llx", u.u);
    return text[next & 7];
}

int main(void) {
    volatile double d = 0x1p-1022;
    volatile float f = 0x1p-126f;
    for (int i = 0; i < 53; i++) {
        d /= 2;
        if (i < 24) f /= 2;
        if (i % 6 == 0) printf("%s %s %s %d\n", bits(d), bits(f), bits(d * 3 + 0x1p-1074), d > 0);
    }
    volatile double a = 0x1.8p-1070, b = 0x1p-1072;
    printf("%s %s %s %s\n", bits(a - b), bits(a + b), bits(a / b), bits(b - a));
    return f == 0x1p-149f;
}
