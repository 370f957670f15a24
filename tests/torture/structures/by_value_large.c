/* Large structures by value: copies do not alias, also through recursion and arrays of them. */
#include <stdio.h>

struct block { int v[64]; };

static __attribute__((noinline)) struct block step(struct block b, int depth) {
    if (depth == 0) return b;
    struct block copy = b;
    for (int i = 0; i < 64; i++) b.v[i] += copy.v[63 - i] * depth;
    struct block r = step(b, depth - 1);
    r.v[depth] ^= copy.v[0];
    return r;
}

int main(void) {
    struct block b[2];
    for (int i = 0; i < 64; i++) b[0].v[i] = i * i, b[1].v[i] = -i;
    b[1] = step(b[0], 9);
    b[0] = step(b[1], 1);
    unsigned sum = 0;
    for (int i = 0; i < 64; i++) sum = sum * 17 + b[0].v[i] + 3u * b[1].v[i];
    printf("%u %d %d\n", sum, b[0].v[5], b[1].v[63]);
    return 0;
}
