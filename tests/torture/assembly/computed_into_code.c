/* A jump into a run of equal instructions: the distance is computed, so every one may be the target. */
#include <stdio.h>

int add_ones(int n);
__asm__(
    "   .text\n   .type add_ones, @function\n   .globl add_ones\n   .set push\n   .set noreorder\n"
    "add_ones:\n   li $2, 8\n   subu $2, $2, $4\n   sll $2, $2, 2\n   la $3, 1f\n   addu $3, $3, $2\n   jr $3\n   li $2, 0\n"
    "1: addiu $2, $2, 1\n   addiu $2, $2, 1\n   addiu $2, $2, 1\n   addiu $2, $2, 1\n"
    "   addiu $2, $2, 1\n   addiu $2, $2, 1\n   addiu $2, $2, 1\n   addiu $2, $2, 1\n"
    "   jr $31\n   nop\n   .size add_ones, . - add_ones\n   .set pop\n");

int main(void) {
    for (int i = 0; i <= 8; i++) printf("%d ", add_ones(i));
    puts("");
    return 0;
}
