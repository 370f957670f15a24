/* Structures of 1 to 33 bytes by value, in and out of functions, at every position of the argument registers. */
#include <stdio.h>

#define SIZE(n)                                                                                   \
    struct s##n { unsigned char b[n]; };                                                          \
    static __attribute__((noinline)) struct s##n f##n(int k, struct s##n x, int l, struct s##n y) { \
        for (int i = 0; i < n; i++) x.b[i] = x.b[i] * k + y.b[n - 1 - i] * l;                     \
        return x;                                                                                 \
    }
#define CALL(n)                                                           \
    {                                                                     \
        struct s##n a, b;                                                 \
        for (int i = 0; i < n; i++) a.b[i] = i + n, b.b[i] = 3 * i + 1;   \
        a = f##n(3, a, 5, f##n(7, b, 2, a));                              \
        unsigned sum = 0;                                                 \
        for (int i = 0; i < n; i++) sum = sum * 31 + a.b[i];              \
        printf("%d %u\n", n, sum);                                        \
    }
SIZE(1) SIZE(2) SIZE(3) SIZE(4) SIZE(5) SIZE(6) SIZE(7) SIZE(8) SIZE(9) SIZE(11) SIZE(12) SIZE(13) SIZE(15) SIZE(16)
SIZE(17) SIZE(20) SIZE(24) SIZE(31) SIZE(32) SIZE(33)

int main(void) {
    CALL(1) CALL(2) CALL(3) CALL(4) CALL(5) CALL(6) CALL(7) CALL(8) CALL(9) CALL(11) CALL(12) CALL(13) CALL(15) CALL(16)
    CALL(17) CALL(20) CALL(24) CALL(31) CALL(32) CALL(33)
    return 0;
}
