/* a * b + c is rounded twice: a fused operation would give another result. */
#include <stdio.h>

static __attribute__((noinline)) double f(double a, double b, double c) { return a * b + c; }
static __attribute__((noinline)) float g(float a, float b, float c) { return a * b - c; }

int main(void) {
    double e = 0x1p-27;
    printf("%a %a\n", f(1 + e, 1 + e, -1), f(1 + e, 1 - e, -1));
    printf("%a\n", g(1 + 0x1p-12f, 1 + 0x1p-12f, 1));
    double x = 0.1;
    printf("%d %a\n", f(x, x, -(x * x)) == 0, f(0x1.5555555555555p-2, 3, -1));
    return 0;
}
