/* clz, ctz, popcount, parity, ffs and clrsb of both sizes. */
#include <stdio.h>

int main(void) {
    static volatile unsigned long long v[] = {1, 2, 3, 0x80, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xffffffff, 0x100000000ull,
                                              0x8000000000000000ull, 0xffffffffffffffffull, 0x123456789abcdefull};
    for (int i = 0; i < 13; i++) {
        unsigned u = v[i];
        if (u) printf("%d %d ", __builtin_clz(u), __builtin_ctz(u));
        printf("%d %d %d %d | ", __builtin_popcount(u), __builtin_parity(u), __builtin_ffs(u), __builtin_clrsb(u));
        printf("%d %d %d %d %d %d\n", __builtin_clzll(v[i]), __builtin_ctzll(v[i]), __builtin_popcountll(v[i]), __builtin_parityll(v[i]),
               __builtin_ffsll(v[i]), __builtin_clrsbll(v[i]));
    }
    printf("%d %d\n", __builtin_ffs(0), __builtin_ffsll(0));
    return 0;
}
