/* bal, bgezal and bltzal: calls that depend, and the trick to learn one's own address. */
#include <stdio.h>

int conditional_call(int x);
unsigned own_address(void);
__asm__(
    "   .text\n   .set push\n   .set noreorder\n   .type conditional_call, @function\n   .globl conditional_call\n"
    "conditional_call:\n   move $8, $31\n   li $2, 0\n"
    "   bgezal $4, 1f\n   nop\n"
    "   bltzal $4, 2f\n   addiu $2, $2, 1\n"
    "   jr $8\n   nop\n"
    "1: jr $31\n   addiu $2, $2, 10\n"
    "2: jr $31\n   addiu $2, $2, 100\n   .size conditional_call, . - conditional_call\n"
    "   .type own_address, @function\n   .globl own_address\n"
    "own_address:\n   move $8, $31\n   bal 1f\n   nop\n1: subu $2, $31, $0\n"
    "   la $3, 1b\n   subu $2, $2, $3\n   jr $8\n   nop\n   .size own_address, . - own_address\n   .set pop\n");

int main(void) {
    printf("%d %d %d %u\n", conditional_call(3), conditional_call(-3), conditional_call(0), own_address());
    return 0;
}
