/* ll and sc by hand: a pair succeeds; the loop that tries again ends. */
#include <stdio.h>

static int add(volatile int *p, int by) {
    int old, temporary;
    __asm__ volatile("1: ll %0, %2\n\taddu %1, %0, %3\n\tsc %1, %2\n\tbeqz %1, 1b" : "=&r"(old), "=&r"(temporary), "+m"(*p) : "r"(by) : "memory");
    return old * 10 + temporary;
}

int main(void) {
    volatile int x = 5;
    int a = add(&x, 3), b = add(&x, -9);
    printf("%d %d %d\n", a, b, x);
    return 0;
}
