/* An instruction that does not exist: SIGILL. */
#include <stdio.h>

int main(void) {
    puts("before");
    fflush(stdout);
    __asm__ volatile(".word 0x7000003c");
    return 0;
}
