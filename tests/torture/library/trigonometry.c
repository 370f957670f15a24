/* sin, cos, tan and their inverses, to 13 digits: libraries differ in the last. */
#include <math.h>
#include <stdio.h>

int main(void) {
    for (double x = -7; x < 7; x += 0.83) {
        printf("%.12e %.12e %.12e %.12e\n", sin(x), cos(x), tan(x), atan(x));
        if (fabs(x) <= 1) printf("%.12e %.12e\n", asin(x), acos(x));
        printf("%.12e %.12e %.12e\n", atan2(x, 3), atan2(1, x), hypot(x, 4));
        printf("%.5e %.5e %.5e\n", sinf(x), cosf(x), atanf(x));
    }
    printf("%.12e %.12e\n", sin(1e6), cos(1e15));
    return 0;
}
