/* GNU's complex integers, and arithmetic with complex floats. */
#include <stdio.h>

static __attribute__((noinline)) _Complex int square(_Complex int z) { return z * z; }
static __attribute__((noinline)) _Complex float halve(_Complex float z) { return z / 2; }
static __attribute__((noinline)) _Complex double divide(_Complex double a, _Complex double b) { return a / b; }

int main(void) {
    _Complex int z = 3 + 4i;
    z = square(z) + ~z;
    _Complex float f = halve(z);
    _Complex double d = divide(f, 1 + 2i);
    printf("%d %d %g %g %.15g %.15g %d\n", __real z, __imag z, __real f, __imag f, __real d, __imag d, z == -4 + 20i);
    return 0;
}
