/* 64-bit addition and subtraction: the carry from the low word, at every edge. */
#include <stdio.h>

int main(void) {
    static volatile unsigned long long values[] = {0, 1, 0xffffffffull, 0x100000000ull, 0x7fffffffffffffffull,
                                                   0x8000000000000000ull, 0xffffffffffffffffull, 0xfffffffeffffffffull};
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++)
            printf("%016llx %016llx\n", values[i] + values[j], values[i] - values[j]);
    return 0;
}
