/* Floating point to integer where the value does not fit. C leaves the result open, so constants are kept from the compiler;
 * a MIPS machine gives 0x7fffffff, and programs ported from one may lean on that. Only qemu is the oracle for this. */
#include <stdio.h>

#include "testing.h"

int main(void) {
    volatile double zero = 0;
    const volatile double values[] = {2147483648.0, -2147483649.0, 3e9, -3e9, 1e300, -1e300, 1 / zero, -1 / zero, zero / zero, 4294967295.0};
    for (int i = 0; i < 10; i++) {
        volatile double d = values[i];
        volatile float f = (float)d;
        printf("%08x %08x\n", (unsigned)(int)d, (unsigned)(int)f);
    }
    return 0;
}
