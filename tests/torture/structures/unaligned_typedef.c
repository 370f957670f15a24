/* Types with alignment 1 through pointers: loads, stores and arithmetic in place. */
#include <stdio.h>

typedef int loose_int __attribute__((aligned(1), may_alias));
typedef short loose_short __attribute__((aligned(1), may_alias));
typedef long long loose_wide __attribute__((aligned(1), may_alias));

int main(void) {
    static char memory[32];
    for (int i = 0; i < 4; i++) {
        loose_int *p = (loose_int *)(memory + i);
        loose_short *q = (loose_short *)(memory + 9 + i);
        loose_wide *r = (loose_wide *)(memory + 17 + i);
        *p += 0x01020304 * (i + 1);
        *q = *p >> 3;
        *r = *q * 0x100000007ll;
        ++*p;
        long long value = *r;    /* GCC 12 passes an under-aligned argument to printf in the wrong place */
        printf("%08x %d %lld\n", *p, *q, value);
    }
    unsigned sum = 0;
    for (int i = 0; i < 32; i++) sum = sum * 31 + (unsigned char)memory[i];
    printf("%u\n", sum);
    return 0;
}
