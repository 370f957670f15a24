/* Products and quotients that round, underflow gradually and overflow, of both widths. */
#include <stdio.h>

static const char *bits(double d) {     /* not %a: libraries may write denormal numbers in several ways */
    static char text[8][20];
    static int next;
    union { double d; unsigned long long u; } u = {d};
    sprintf(text[++next & 7], "%016llx", u.u);
    return text[next & 7];
}

int main(void) {
    static volatile double v[] = {3, 1.0 / 3, 0x1.0000000000001p-511, 0x1p-1074, 0x1.8p-1060, 1e200, -7e-300, 0x1.fffffffffffffp0};
    static volatile float f[] = {3, 1.0f / 3, 0x1.000002p-63f, 0x1p-149f, 0x1.8p-140f, 1e30f, -7e-30f, 0x1.fffffep0f};
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++) printf("%s %s %s %s\n", bits(v[i] * v[j]), bits(v[i] / v[j]), bits(f[i] * f[j]), bits(f[i] / f[j]));
    return 0;
}
