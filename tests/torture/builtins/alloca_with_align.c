/* __builtin_alloca_with_align, and alloca freed by returning in a long loop. */
#include <stdint.h>
#include <stdio.h>

static __attribute__((noinline)) int use(int n) {
    char *p = __builtin_alloca_with_align(n, 256);
    p[0] = n, p[n - 1] = 1;
    return (uintptr_t)p % 32 + p[0] + p[n - 1];
}

int main(void) {
    int sum = 0;
    for (int i = 0; i < 5000; i++) sum += use(1 + i % 120);
    printf("%d\n", sum);
    return 0;
}
