/* Vectors as arguments and results, in structures and arrays, and as other types of the same size. */
#include <stdio.h>
#include <string.h>

typedef int v4 __attribute__((vector_size(16)));
typedef short s8 __attribute__((vector_size(16)));
struct holder { char c; v4 v; };

static __attribute__((noinline)) v4 rotate(v4 v, int by) { return __builtin_shuffle(v, (v4){0, 1, 2, 3} + by); }
static __attribute__((noinline)) struct holder hold(v4 v, struct holder h) { h.v -= v; h.c++; return h; }

int main(void) {
    v4 v = {1, 2, 3, 4};
    struct holder h = hold(rotate(v, 3), (struct holder){'a', v * 10});
    s8 s = (s8)h.v;
    v4 list[2] = {v, -v};
    memcpy(&v, &list[1], sizeof v);
    printf("%c %d %d %d %d %d %d %zu\n", h.c, h.v[0], h.v[3], s[0], s[7], v[2], list[0][1], sizeof h);
    return 0;
}
