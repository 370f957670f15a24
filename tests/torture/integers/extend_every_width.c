/* Sign and zero extension between all widths. */
#include <stdio.h>

int main(void) {
    static volatile unsigned long long v[] = {0x80, 0x7f, 0x8000, 0x7fff, 0x80000000, 0x7fffffff, 0x123456789abcdef0ull, ~0ull};
    for (int i = 0; i < 8; i++) {
        unsigned long long x = v[i];
        printf("%lld %lld %lld ", (long long)(signed char)x, (long long)(short)x, (long long)(int)x);
        printf("%llu %llu %llu ", (unsigned long long)(unsigned char)x, (unsigned long long)(unsigned short)x, (unsigned long long)(unsigned)x);
        printf("%u %u %d\n", (unsigned)(signed char)x, (unsigned short)(signed char)x, (short)(unsigned char)x);
    }
    return 0;
}
