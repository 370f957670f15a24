/* Vectors of floats and doubles: arithmetic, comparisons to masks, conversion, shuffles. */
#include <stdio.h>

typedef float f4 __attribute__((vector_size(16)));
typedef int v4 __attribute__((vector_size(16)));
typedef double d2 __attribute__((vector_size(16)));

static __attribute__((noinline)) f4 blend(f4 a, f4 b, f4 t) { return a + (b - a) * t; }

int main(void) {
    f4 a = {1, 2, 3, 4}, b = {10, -10, 0.5f, 1e10f};
    f4 c = blend(a, b, (f4){0, 0.5f, 1, 0.25f});
    v4 m = a > b, i = __builtin_convertvector(c, v4);
    f4 s = __builtin_shuffle(a, b, (v4){7, 0, 5, 2});
    d2 d = {1.0 / 3, -2};
    d = d / (d2){3, 0.5} + d * d;
    for (int k = 0; k < 4; k++) printf("%g %d %d %g ", c[k], m[k], i[k], s[k]);
    printf("%.17g %g\n", d[0], d[1]);
    return 0;
}
