/* Compound assignment computes in int and stores narrow. */
#include <stdio.h>

int main(void) {
    volatile unsigned char c = 250;
    volatile signed char s = 127;
    volatile unsigned short h = 65530;
    c += 10;
    s += 1;
    h *= h;
    printf("%d %d %d\n", c, s, h);
    c <<= 7;
    s >>= 3;
    h /= 7;
    printf("%d %d %d\n", c, s, h);
    c = 200;
    c = c * 2 / 4;
    s = -128;
    s = -s;
    h -= 40000;
    printf("%d %d %d\n", c, s, h);
    return c;
}
