/* <limits.h>: each limit, and one beyond it. */
#include <limits.h>
#include <stdio.h>

int main(void) {
    printf("%d %d %d %d %u\n", CHAR_BIT, SCHAR_MIN, SCHAR_MAX, UCHAR_MAX, UINT_MAX);
    printf("%d %d %d %d %d\n", SHRT_MIN, SHRT_MAX, USHRT_MAX, INT_MIN, INT_MAX);
    printf("%lld %lld %llu\n", LLONG_MIN, LLONG_MAX, ULLONG_MAX);
    volatile unsigned char c = UCHAR_MAX;
    volatile unsigned short s = USHRT_MAX;
    volatile unsigned long long u = ULLONG_MAX;
    c++, s++, u++;
    return c + s + (int)u;
}
