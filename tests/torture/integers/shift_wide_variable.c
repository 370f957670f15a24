/* 64-bit shifts by variable counts: below, at and above the word border. */
#include <stdio.h>

int main(void) {
    static volatile int counts[] = {0, 1, 7, 31, 32, 33, 47, 62, 63};
    volatile unsigned long long u = 0x8000000180000001ull;
    volatile long long s = -0x7ffffffe7fffffffll;
    for (int i = 0; i < 9; i++)
        printf("%d: %016llx %016llx %016llx\n", counts[i], u << counts[i], u >> counts[i], (unsigned long long)(s >> counts[i]));
    return 0;
}
