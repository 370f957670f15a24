/* 64-bit shifts by constants: each is code of its own. */
#include <stdio.h>

#define S(n) printf("%016llx %016llx %016llx\n", u << n, u >> n, (unsigned long long)(s >> n))

int main(void) {
    volatile unsigned long long u = 0xfedcba9876543210ull;
    volatile long long s = (long long)0xfedcba9876543210ull;
    S(1); S(4); S(8); S(16); S(31); S(32); S(33); S(40); S(48); S(63);
    return 0;
}
