/* Polynomials by Horner and by powers, their derivatives, and Newton's roots. */
#include <math.h>
#include <stdio.h>

static double value(const double *c, int n, double x, double *slope) {
    double v = 0, d = 0;
    for (int i = n; i >= 0; i--) d = d * x + v, v = v * x + c[i];
    *slope = d;
    return v;
}

int main(void) {
    double c[] = {-6, 11, -6.5, 1.25, 0.125};
    for (double start = -12; start < 4; start += 3.7) {
        double x = start, slope;
        for (int i = 0; i < 12; i++) {
            double v = value(c, 4, x, &slope);
            x -= v / slope;
        }
        printf("%a\n", x);
    }
    return 0;
}
