/* A recursive function in assembly with its frame, saved registers and slots that restore. */
#include <stdio.h>

int fibonacci(int n);
__asm__(
    "   .text\n   .globl fibonacci\n   .type fibonacci, @function\n   .set push\n   .set noreorder\n"
    "fibonacci:\n   slti $2, $4, 2\n   bnez $2, 1f\n   move $2, $4\n"
    "   addiu $sp, $sp, -32\n   sw $31, 28($sp)\n   sw $16, 24($sp)\n   sw $17, 20($sp)\n"
    "   move $16, $4\n   jal fibonacci\n   addiu $4, $4, -1\n"
    "   move $17, $2\n   jal fibonacci\n   addiu $4, $16, -2\n"
    "   addu $2, $2, $17\n   lw $17, 20($sp)\n   lw $16, 24($sp)\n   lw $31, 28($sp)\n   jr $31\n   addiu $sp, $sp, 32\n"
    "1: jr $31\n   nop\n   .size fibonacci, . - fibonacci\n   .set pop\n");

int main(void) {
    for (int i = 0; i < 16; i++) printf("%d ", fibonacci(i));
    puts("");
    return 0;
}
