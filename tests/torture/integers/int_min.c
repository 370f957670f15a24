/* The most negative numbers: negated, divided, shifted, as text and back. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    volatile int m = INT_MIN;
    volatile long long w = LLONG_MIN;
    unsigned negated = -(unsigned)m;
    printf("%u %llu %d %lld\n", negated, -(unsigned long long)w, m / 2, w / 2);
    printf("%d %lld %d %lld\n", m % 3, w % 3, m >> 31, w >> 63);
    printf("%d %lld\n", atoi("-2147483648") == m, atoll("-9223372036854775808") - w);
    printf("%x %llx\n", m, w);
    return (m ^ -1) == INT_MAX;
}
