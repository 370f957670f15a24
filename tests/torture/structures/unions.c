/* The same bytes as different types: GCC allows it through unions. */
#include <stdio.h>

union view { float f; double d; unsigned u; unsigned long long ull; short s[4]; signed char c[8]; struct { unsigned low, high; } w; };

int main(void) {
    union view v = {.d = -1.5};
    printf("%016llx %08x %08x %d %d\n", v.ull, v.w.low, v.w.high, v.s[3], v.c[7]);
    v.f = 1.0f / 3;
    printf("%08x %d %d\n", v.u, v.s[0], v.c[1]);
    v.w.high = 0x7ff00000, v.w.low = 0;
    printf("%g %d\n", v.d, v.d > 1e308);
    v.c[3] = -64, v.c[2] = 73, v.s[0] = 0xfdb;
    printf("%g\n", v.f);
    return v.c[3] & 255;
}
