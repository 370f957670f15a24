/* -0.0: it equals 0, keeps its sign, and shows in divisions, roots and prints. */
#include <math.h>
#include <stdio.h>

int main(void) {
    volatile double z = 0, m = -0.0, one = 1;
    printf("%d %g %g %g %g\n", z == m, m, -z, z - z, m + m);
    printf("%g %g %g %g\n", one / m, m * 5, sqrt(m), 0 - z);
    printf("%d %d %d\n", signbit(m) != 0, signbit(z * -1) != 0, signbit(-(z - z)) != 0);
    volatile float f = -0.0f;
    printf("%g %g %d\n", f, (double)f, (int)m);
    return 0;
}
