/* add traps on overflow, which Linux makes a SIGFPE; addu does not. */
#include <stdio.h>

int main(void) {
    volatile int big = 2147483647;
    int r;
    __asm__ volatile("addu %0, %1, %1" : "=r"(r) : "r"(big));
    printf("%d\n", r);
    fflush(stdout);
    __asm__ volatile("add %0, %1, %1" : "=r"(r) : "r"(big));
    printf("%d\n", r);
    return 0;
}
