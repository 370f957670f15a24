/* Functions with many exits, and tail calls between them. */
#include <stdio.h>

static int g(int x, int depth);
static __attribute__((noinline)) int f(int x, int depth) {
    if (depth == 0) return x;
    if (x & 1) return g(3 * x + 1, depth - 1);
    if (x > 1000) return -1;
    if (x % 7 == 0) return f(x / 7 + 2, depth - 1);
    return g(x / 2, depth - 1);
}
static __attribute__((noinline)) int g(int x, int depth) {
    if (x == 1) return depth;
    return f(x, depth);
}

int main(void) {
    for (int i = 1; i < 40; i++) printf("%d ", f(i, 20));
    puts("");
    return 0;
}
