/* bswap16, bswap32, bswap64, of variables and constants. */
#include <stdio.h>

int main(void) {
    volatile unsigned long long x = 0x0123456789abcdefull;
    printf("%04x %08x %016llx\n", __builtin_bswap16(x), __builtin_bswap32(x), __builtin_bswap64(x));
    printf("%04x %08x %016llx\n", __builtin_bswap16(0x1234), __builtin_bswap32(0x80000001), __builtin_bswap64(1));
    for (int i = 0; i < 3; i++) x = __builtin_bswap64(x) * 3 + __builtin_bswap32(x >> 16);
    printf("%016llx\n", x);
    return 0;
}
