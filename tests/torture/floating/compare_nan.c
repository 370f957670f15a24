/* Comparisons with NaN: all false but !=, in branches and as values, of both widths. */
#include <math.h>
#include <stdio.h>

static __attribute__((noinline)) int bits(double a, double b) {
    int r = 0;
    if (a < b) r |= 1;
    if (a <= b) r |= 2;
    if (a > b) r |= 4;
    if (a >= b) r |= 8;
    if (a == b) r |= 16;
    if (a != b) r |= 32;
    if (!(a < b)) r |= 64;
    return r | (isunordered(a, b) ? 128 : 0);
}
static __attribute__((noinline)) int value(float a, float b) { return (a < b) + 10 * (a <= b) + 100 * (a > b) + 1000 * (a >= b) + 10000 * (a == b) + 100000 * (a != b); }

int main(void) {
    volatile double zero = 0;
    double v[] = {1, -1, 0, -0.0, zero / zero, 1 / zero, -1 / zero};
    for (int i = 0; i < 7; i++)
        for (int j = 0; j < 7; j++) printf("%d %d ", bits(v[i], v[j]), value(v[i], v[j]));
    puts("");
    return 0;
}
