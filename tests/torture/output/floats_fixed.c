/* %f of many magnitudes and precisions; rounding half to even as exactly stored. */
#include <stdio.h>

int main(void) {
    static const double v[] = {0, 0.5, 1.5, 2.5, 0.125, 0.375, 1e-5, 123456.789, -0.0049999, 999999.9999995, 1e22, 1e23, 0.1, 1.0 / 3};
    for (int i = 0; i < 14; i++) printf("%f %.0f %.1f %.2f %.10f %10.3f %-12.1f| %+.3f % .2f %#.0f %012.4f\n", v[i], v[i], v[i], v[i], v[i], v[i], v[i], v[i], v[i], v[i], v[i]);
    printf("%.40f\n%.60f\n", 0.1, 0x1p-50);
    return 0;
}
