/* Constants and tables between the code, as hand-written assembly has them; MOG cannot read code as data, so in .rodata. */
#include <stdio.h>

int look_up(int i);
__asm__(
    "   .text\n   .type look_up, @function\n   .globl look_up\n   .set push\n   .set noreorder\n"
    "look_up:\n   sltiu $2, $4, 3\n   beqz $2, 3f\n   sll $4, $4, 2\n"
    "   lui $3, %hi(places)\n   addu $3, $3, $4\n   lw $3, %lo(places)($3)\n   jr $3\n   li $2, 5\n"
    "   .word 0xffffffff, 0xdeadbeef, 0\n"
    "1: jr $31\n   addiu $2, $2, 1\n"
    "   .asciiz \"text in the code\"\n   .align 2\n"
    "2: jr $31\n   sll $2, $2, 4\n"
    "3: jr $31\n   li $2, -1\n   .size look_up, . - look_up\n   .set pop\n"
    "   .section .rodata\n   .align 2\nplaces: .word 1b, 2b, 3b\n   .text\n");

int main(void) {
    for (int i = 0; i < 5; i++) printf("%d ", look_up(i));
    puts("");
    return 0;
}
