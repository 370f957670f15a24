/* Matrices in structures, multiplied, as arguments and results; powers by squaring. */
#include <stdio.h>

struct matrix { unsigned m[3][3]; };
static struct matrix times(struct matrix a, struct matrix b) {
    struct matrix r = {{{0}}};
    for (int i = 0; i < 3; i++) for (int j = 0; j < 3; j++) for (int k = 0; k < 3; k++) r.m[i][j] += a.m[i][k] * b.m[k][j];
    return r;
}
static struct matrix power(struct matrix a, unsigned n) {
    struct matrix r = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    for (; n; n /= 2, a = times(a, a)) if (n % 2) r = times(r, a);
    return r;
}

int main(void) {
    struct matrix t = {{{1, 1, 1}, {1, 0, 0}, {0, 1, 0}}};
    for (unsigned n = 1; n < 2000; n *= 3) printf("%u %u\n", power(t, n).m[0][0], times(power(t, n), t).m[2][1]);
    return 0;
}
