/* Unsigned arithmetic wraps at every width. */
#include <stdio.h>

int main(void) {
    volatile unsigned u = 0;
    volatile unsigned long long w = 0;
    volatile unsigned short h = 0;
    printf("%u %llu %u\n", u - 1, w - 1, (unsigned short)(h - 1));
    u = 4294967295u;
    w = ~0ull;
    printf("%u %llu %u\n", u * u, w * w, u + 2);
    u = 0x10001;
    w = 0x100000001ull;
    printf("%u %llu\n", u * u * u, w * w * w);
    return (unsigned char)(u * 0x1234567);
}
