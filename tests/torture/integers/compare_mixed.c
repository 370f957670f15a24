/* Comparisons of mixed signedness and width, by the usual arithmetic conversions. */
#include <stdio.h>

int main(void) {
    volatile int minus = -1;
    volatile unsigned one = 1;
    volatile unsigned short us = 65535;
    volatile unsigned char uc = 255;
    volatile long long big = -1;
    volatile unsigned long long ubig = 1;
    printf("%d", minus < one);
    printf("%d", minus < us);
    printf("%d", minus < uc);
    printf("%d", minus < (long long)one);
    printf("%d", big < one);
    printf("%d", big < ubig);
    printf("%d", (short)us == minus);
    printf("%d", (signed char)uc == minus);
    printf("%d\n", (unsigned)minus == 4294967295u);
    return 0;
}
