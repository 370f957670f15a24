/* Functions in sections of their own, hot and cold parts, aligned functions. */
#include <stdint.h>
#include <stdio.h>

static __attribute__((section(".text.special"), noinline)) int special(int x) { return x * 7; }
static __attribute__((aligned(64), noinline)) int aligned(int x) { return x - 7; }
static __attribute__((cold, noinline)) int cold(int x) { return x ^ 7; }

int main(int argc, char **argv) {
    (void)argv;
    int (*const list[])(int) = {special, aligned, cold};
    int s = 0;
    for (int i = 0; i < 3; i++) s = s * 10 + list[i](argc + i);
    printf("%d %d\n", s, (int)((uintptr_t)aligned % 64));
    return 0;
}
