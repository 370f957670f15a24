/* asm goto: assembly that jumps to C labels. */
#include <stdio.h>

static __attribute__((noinline)) int kind(int x) {
    __asm__ goto("bltz %0, %l[negative]\n\tnop\n\tbeqz %0, %l1\n\tnop" : : "r"(x) : : negative, zero);
    return 1;
negative:
    return -1;
zero:
    return 0;
}

int main(void) {
    printf("%d %d %d\n", kind(5), kind(-5), kind(0));
    return 0;
}
