/* Sums of 64-bit products: madd, maddu, msub. */
#include <stdio.h>

int main(void) {
    static volatile int a[] = {2147483647, -2147483647 - 1, -1, 12345, -98765, 65536}, b[] = {-1, -2147483647 - 1, 3, 99999, 7, 65536};
    long long sum = 0, difference = 0;
    unsigned long long usum = 0;
    for (int i = 0; i < 6; i++) {
        sum += (long long)a[i] * b[i];
        difference -= (long long)a[i] * b[5 - i];
        usum += (unsigned long long)(unsigned)a[i] * (unsigned)b[i];
        printf("%lld %lld %llu\n", sum, difference, usum);
    }
    return 0;
}
