/* The same expressions by the compiler and by the machine. */
#include <math.h>
#include <stdio.h>

#define SAME(e, x, y) { volatile double x_ = x, y_ = y; double a; { const double p = x, q = y; a = e; } double b; { double p = x_, q = y_; b = e; } \
                        printf("%d %a\n", a == b || (a != a && b != b), b); }

int main(void) {
    SAME(p + q * 3, 0.1, 0.2) SAME(p / q, 1, 3) SAME(sqrt(p) - q, 2, 1.4142135623730951) SAME(p * q, 1e-200, 1e-200)
    SAME((float)p * (float)q, 1.1, 2.3) SAME((int)p + q, -3.99, 0.5) SAME(fabs(p) - q, -1e-310, 1e-310) SAME(p - q == 0, 0.3, 0.1 + 0.2)
    return 0;
}
