/* %g: where it changes form, what # keeps, and shortest digits that come back. */
#include <stdio.h>

int main(void) {
    static const double v[] = {0, 1, 10, 100000, 999998.5, 1000000, 0.0001, 0.00001, 0.00012345678, 123456789, 1e15, 0.1, 100.5, 1e300};
    for (int i = 0; i < 14; i++) printf("%g %G %.3g %#g %.10g %.0g %12g|%-12.2g|%+g %.17g\n", v[i], v[i], v[i], v[i], v[i], v[i], v[i], v[i], v[i], v[i]);
    return 0;
}
