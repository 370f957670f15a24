/* Arithmetic that tells whether it overflowed: all three operations, mixed types, exact results. */
#include <stdio.h>

#define TRY(op, type, a, b) { type r; int o = __builtin_##op##_overflow(a, b, &r); printf("%d:%lld ", o, (long long)r); }

int main(void) {
    static volatile int v[] = {-2147483647 - 1, -1, 0, 1, 65536, 2147483647};
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) {
            int a = v[i], b = v[j];
            TRY(add, int, a, b) TRY(sub, int, a, b) TRY(mul, int, a, b)
            TRY(add, unsigned, a, b) TRY(sub, unsigned, (unsigned)a, (unsigned)b) TRY(mul, unsigned, (unsigned)a, (unsigned)b)
            TRY(add, short, a, b) TRY(mul, signed char, a, b) TRY(sub, long long, a, (unsigned)b)
            TRY(mul, long long, (long long)a << 20, (long long)b << 10) TRY(add, unsigned long long, (long long)a, b)
            puts("");
        }
    return 0;
}
