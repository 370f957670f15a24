/* Digit forms: hexadecimal floats, suffixes, binary, imaginary. */
#include <stdio.h>

int main(void) {
    printf("%g %g %a %g\n", 0x1.8p3, 0x.1p4, 0x1.fffffffffffffp1023, 1e-3f);
    printf("%d %u %lld %llu\n", 0b101101, 0B11u, 0xffll, 0777ull);
    _Complex double z = 3.0 + 4.0i;
    printf("%g %g\n", __real__ z, __imag__ (z * z));
    return 1e2;
}
