/* Traps whose conditions are false do nothing; a trap in a slot too. */
#include <stdio.h>

int main(void) {
    volatile int one = 1, zero = 0;
    __asm__ volatile("teq %0, %1\n\ttne %0, %0\n\ttlt %0, %1\n\ttltu %0, %1\n\ttge %1, %0\n\ttgeu %1, %0" : : "r"(one), "r"(zero));
    __asm__ volatile("teqi %0, 5\n\ttnei %0, 1\n\ttlti %0, -3\n\ttgei %0, 100\n\ttltiu %0, 1\n\ttgeiu %0, 2" : : "r"(one));
    __asm__ volatile(".set push\n\t.set noreorder\n\tb 1f\n\tteq %0, %1\n1:\t.set pop" : : "r"(one), "r"(zero));
    puts("no trap");
    return 0;
}
