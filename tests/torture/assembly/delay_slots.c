/* Hand-written delay slots under .set noreorder: slots that read and write what their branch uses, likely branches, calls. */
#include <stdio.h>

int slots(int a, int b);
__asm__(
    "   .text\n   .globl slots\n   .type slots, @function\n   .set push\n   .set noreorder\n"
    "slots:\n"
    "   move $2, $0\n"
    "   bne $4, $5, 1f\n"
    "   move $4, $5\n"          /* changes what the branch compared */
    "   addiu $2, $2, 1\n"
    "1: beql $4, $5, 2f\n"
    "   addiu $2, $2, 10\n"     /* only if taken */
    "   addiu $2, $2, 100\n"
    "2: bgtzl $4, 3f\n"
    "   sll $2, $2, 1\n"
    "   addiu $2, $2, 1000\n"
    "3: bltz $5, 4f\n"
    "   addiu $5, $5, 5\n"
    "   addu $2, $2, $5\n"
    "4: jr $31\n"
    "   addu $2, $2, $5\n"
    "   .set pop\n   .size slots, . - slots\n");

int main(void) {
    static const int v[] = {-7, -1, 0, 1, 9};
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++) printf("%d ", slots(v[i], v[j]));
    puts("");
    return 0;
}
