/* Minimum, maximum, clamping and signs by comparisons, with zeros of both signs and infinities. */
#include <stdio.h>

static double least(double a, double b) { return a < b ? a : b; }
static float greatest(float a, float b) { return a > b ? a : b; }
static double clamp(double x, double l, double h) { return x < l ? l : x > h ? h : x; }
static int sign(double x) { return (x > 0) - (x < 0); }

int main(void) {
    volatile double zero = 0;
    double v[] = {-1 / zero, -2.5, -0.0, 0, 1e-320, 3, 1 / zero};
    for (int i = 0; i < 7; i++)
        for (int j = 0; j < 7; j++) printf("%g %g %g %d ", least(v[i], v[j]), greatest(v[i], v[j]), clamp(v[i], -1, v[j]), sign(v[j]));
    puts("");
    return 0;
}
