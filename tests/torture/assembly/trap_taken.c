/* A trap that fires ends the program with SIGTRAP. */
#include <stdio.h>

int main(void) {
    volatile int one = 1;
    puts("before");
    fflush(stdout);
    __asm__ volatile("teq %0, %0, 12" : : "r"(one));
    puts("after");
    return 0;
}
