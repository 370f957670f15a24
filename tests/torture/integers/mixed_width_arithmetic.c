/* char, short, int and long long in one expression. */
#include <stdio.h>

int main(void) {
    volatile signed char c = -3;
    volatile unsigned char uc = 253;
    volatile short s = -300;
    volatile unsigned short us = 65236;
    volatile int i = -70000;
    volatile unsigned u = 4294897296u;
    volatile long long l = -5000000000ll;
    printf("%d %d %d\n", c * uc, s * us, c + s - uc);
    printf("%u %lld %lld\n", i + u, l * c, l / s);
    printf("%lld %lld %llu\n", l + u, l + i, (unsigned long long)l + uc);
    printf("%d %d %lld\n", (c & us) ^ s, ~uc | c, l ^ c);
    return 0;
}
