/* constant_p, choose_expr, types_compatible_p, expect, offsetof with array members: they choose at compile time. */
#include <stddef.h>
#include <stdio.h>

#define KIND(x) __builtin_choose_expr(__builtin_types_compatible_p(__typeof__(x), int), "int", \
                __builtin_choose_expr(__builtin_types_compatible_p(__typeof__(x), double), 2.5, (void)0))
struct s { int a[4]; struct { char c; short d[3]; } b[2]; };

int main(void) {
    printf("%s %g\n", KIND(1), KIND(1.0));
    printf("%d %d\n", __builtin_constant_p(3 + 4), __builtin_constant_p("text"[1]));
    printf("%zu %zu\n", offsetof(struct s, a[2]), __builtin_offsetof(struct s, b[1].d[2]));
    volatile int x = 3;
    int hit = 0;
    if (__builtin_expect(x == 3, 0)) hit = 1;
    if (__builtin_expect_with_probability(x > 5, 1, 0.9)) hit = 2;
    printf("%d %d\n", hit, __builtin_types_compatible_p(const int, int));
    return 0;
}
