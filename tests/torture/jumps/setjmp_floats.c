/* longjmp brings back saved registers, doubles among them. */
#include <setjmp.h>
#include <stdio.h>

static jmp_buf buffer;
static __attribute__((noinline)) double spoil(double x) {
    double a = x * 2, b = x * 3, c = x * 4, d = x * 5, e = x * 6, f = x * 7;
    if (x > 4) longjmp(buffer, 1);
    return spoil(x + 1) + a + b + c + d + e + f;
}

int main(void) {
    volatile double seed = 0.25;
    double a = seed * 3, b = seed * 5, c = seed * 7, d = seed * 11;
    int i = seed * 100, j = seed * 400;
    if (setjmp(buffer) == 0) {
        printf("%g\n", spoil(a));
        puts("not reached");
    }
    printf("%g %g %g %g %d %d\n", a, b, c, d, i, j);
    return 0;
}
