/* Arguments in registers and on the stack: integers of all widths, more than four words. */
#include <stdio.h>

static __attribute__((noinline)) long long f(char a, short b, int c, long long d, unsigned char e, long long f, unsigned short g, int h, char i) {
    return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i;
}

int main(void) {
    volatile int x = -1;
    printf("%lld\n", f(x, x, x, x, x, x, x, x, x));
    printf("%lld\n", f(1, 300, 70000, 1ll << 40, 255, -1ll << 35, 65535, -9, -128));
    return 0;
}
