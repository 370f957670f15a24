/* typeof of expressions, types, arrays, functions and bit-sized things; __auto_type. */
#include <stdio.h>

#define SWAP(a, b) do { __auto_type t_ = (a); (a) = (b); (b) = t_; } while (0)
static double half(int x) { return x / 2.0; }

int main(void) {
    int a[3] = {1, 2, 3};
    typeof(a) b = {4, 5, 6};
    typeof(a[0]) c = 7.9;
    typeof(half) *f = half;
    typeof(half(1)) d = f(3);
    typeof(int *[2]) p = {a, b};
    const typeof(&a[0]) q = p[1];
    short s = 3, t = 4;
    SWAP(s, t);
    SWAP(p[0], p[1]);
    printf("%d %g %d %d %d %d %zu %zu\n", c, d, *p[0], *q, s, t, sizeof(typeof(s + t)), sizeof b);
    return 0;
}
