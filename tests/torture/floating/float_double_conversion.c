/* double to float and back: rounding, overflow to infinity, denormal results, halves. */
#include <stdio.h>

static const char *bits(double d) {     /* not %a: libraries may write denormal numbers in several ways */
    static char text[8][20];
    static int next;
    union { double d; unsigned long long u; } u = {d};
    sprintf(text[++next & 7], "%016llx", u.u);
    return text[next & 7];
}

int main(void) {
    static volatile double v[] = {0.1, 1 + 0x1p-24, 1 + 0x1.8p-24, 1 + 0x1.000001p-24, 0x1.fffffefp127, 0x1.ffffffp127, 1e39, 0x1p-149, 0x1p-150,
                                  0x1.8p-150, 0x1.000002p-127, -1e-46, 3.4028235e38};
    for (int i = 0; i < 13; i++) printf("%s %s\n", bits((float)v[i]), bits((double)(float)v[i] - v[i]));
    return 0;
}
