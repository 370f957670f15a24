/* Mutual recursion 10000 deep, with and without frames. */
#include <stdio.h>

static __attribute__((noinline)) int odd(unsigned n);
static __attribute__((noinline)) int even(unsigned n) { return n == 0 ? 1 : odd(n - 1); }
static __attribute__((noinline)) int odd(unsigned n) { return n == 0 ? 0 : even(n - 1); }
static __attribute__((noinline)) unsigned depth(unsigned n) { return n ? 1 + depth(n - 1) * 1u : 0; }

int main(void) {
    printf("%d %d %u\n", even(10000), odd(7777), depth(5000));
    return 0;
}
