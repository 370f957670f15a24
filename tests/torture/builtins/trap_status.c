/* __builtin_trap ends the program with SIGTRAP, or what the machine makes of its trap instruction. */
#include <stdio.h>

int main(void) {
    volatile int x = 1;
    puts("before");
    fflush(stdout);
    if (x) __builtin_trap();
    puts("after");
    return 0;
}
