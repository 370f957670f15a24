/* The delay slot of jal and jalr runs before the callee, after the return address is set. */
#include <stdio.h>

int through(int (*f)(int), int x);
int direct(int x);
int target(int x) { return x * 3; }
__asm__(
    "   .text\n   .set push\n   .set noreorder\n"
    "   .globl through\n   .type through, @function\n"
    "through:\n   addiu $sp, $sp, -24\n   sw $31, 20($sp)\n"
    "   move $25, $4\n   jalr $25\n   addiu $4, $5, 1\n"
    "   lw $31, 20($sp)\n   jr $31\n   addiu $sp, $sp, 24\n   .size through, . - through\n"
    "   .globl direct\n   .type direct, @function\n"
    "direct:\n   addiu $sp, $sp, -24\n   sw $31, 20($sp)\n"
    "   jal target\n   move $5, $31\n"          /* the slot sees the new return address */
    "   la $3, 1f\n"
    "1: lw $31, 20($sp)\n   addiu $sp, $sp, 24\n   jr $31\n   addiu $2, $2, 100\n   .size direct, . - direct\n"
    "   .set pop\n");

int main(void) {
    printf("%d %d\n", through(target, 4), direct(5));
    return 0;
}
