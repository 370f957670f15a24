/* Integers of every width to float and double, rounded to even. */
#include <stdio.h>

int main(void) {
    static volatile long long v[] = {0, 1, -1, 16777217, -16777219, 2147483647, 4294967295, 9007199254740993ll, -9007199254740995ll,
                                     9223372036854775807ll, -9223372036854775807ll - 1, 0x7fffff4000000001ll, 0x7fffffbfffffffffll};
    for (int i = 0; i < 13; i++) {
        unsigned long long u = v[i];
        printf("%a %a %a %a %a %a %a %a\n", (double)v[i], (float)v[i], (double)u, (float)u, (double)(int)v[i], (float)(int)v[i], (double)(unsigned)v[i], (float)(unsigned)v[i]);
    }
    return 0;
}
