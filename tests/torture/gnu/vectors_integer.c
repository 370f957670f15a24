/* Vector extensions: element-wise integer operations, comparisons, shifts, on a machine without vectors. */
#include <stdio.h>

typedef int v4 __attribute__((vector_size(16)));
typedef unsigned char b8 __attribute__((vector_size(8)));
typedef short h4 __attribute__((vector_size(8)));
typedef long long l2 __attribute__((vector_size(16)));

int main(void) {
    v4 a = {1, -2, 3, 1000000}, b = {5, 6, -7, 1000000};
    v4 c = a * b + (a ^ b) - (a > b), d = (a << 3) % (b | 1), m = a < b, e = (a & m) | (b & ~m);
    b8 x = {250, 251, 252, 253, 254, 255, 0, 1}, y = x + 5;
    h4 h = {-1, 2, -3, 30000};
    h = h * 2 >> 1;
    l2 l = {1ll << 40, -1};
    l = l * 3 - l / 7;
    for (int i = 0; i < 4; i++) printf("%d %d %d %d ", c[i], d[i], e[i], h[i]);
    for (int i = 0; i < 8; i++) printf("%u ", y[i]);
    printf("%lld %lld\n", l[0], l[1]);
    return 0;
}
