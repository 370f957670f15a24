/* Jumps to jumps, empty blocks, a branch to its own slot's successor, loops of one instruction. */
#include <stdio.h>

int chains(int x);
__asm__(
    "   .text\n   .globl chains\n   .type chains, @function\n   .set push\n   .set noreorder\n"
    "chains:\n   b 1f\n   addiu $2, $4, 1\n"
    "3: b 4f\n   nop\n"
    "1: b 3b\n   sll $2, $2, 1\n"
    "4: beq $0, $0, 5f\n   nop\n"
    "5: bne $4, $0, 6f\n   nop\n"
    "6: bgtz $4, 6b\n   addiu $4, $4, -1\n"
    "   jr $31\n   addu $2, $2, $4\n   .size chains, . - chains\n   .set pop\n");

int main(void) {
    for (int i = -2; i < 6; i++) printf("%d ", chains(i));
    puts("");
    return 0;
}
