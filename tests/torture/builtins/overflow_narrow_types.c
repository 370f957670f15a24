/* The typed forms, and overflow_p as a constant expression. */
#include <stdio.h>

int main(void) {
    int s;
    unsigned u;
    long l;
    unsigned long long ull;
    volatile int big = 2147483647;
    volatile unsigned all = 4294967295u;
    volatile unsigned long long wide = 0xffffffffffffffffull;
    printf("%d %d\n", __builtin_sadd_overflow(big, 1, &s), s);
    printf("%d %u\n", __builtin_uadd_overflow(all, 1, &u), u);
    printf("%d %ld\n", __builtin_smull_overflow(big, 2, &l), l);
    printf("%d %llu\n", __builtin_umulll_overflow(wide, wide, &ull), ull);
    printf("%d %llu\n", __builtin_usubll_overflow(1, wide, &ull), ull);
    printf("%d %d\n", __builtin_mul_overflow_p(65536, 65536, 0), __builtin_add_overflow_p(1, 2, (char)0));
    return 0;
}
