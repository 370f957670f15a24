/* Tail calls by j and jr from assembly, a shared return, and a function with two entries. */
#include <stdio.h>

int by_j(int x), by_jr(int x, int (*f)(int)), entry_one(int x), entry_two(int x);
int final(int x) { return x * 2 + 1; }
__asm__(
    "   .text\n   .globl by_j, by_jr, entry_one, entry_two\n   .set push\n   .set noreorder\n"
    "   .type by_j, @function\nby_j:\n   j final\n   addiu $4, $4, 10\n   .size by_j, . - by_j\n"
    "   .type by_jr, @function\nby_jr:\n   move $25, $5\n   jr $25\n   sll $4, $4, 1\n   .size by_jr, . - by_jr\n"
    "   .type entry_one, @function\nentry_one:\n   addiu $4, $4, 100\n"
    "   .type entry_two, @function\nentry_two:\n   jr $31\n   addiu $2, $4, 1000\n   .size entry_two, . - entry_two\n   .size entry_one, . - entry_one\n"
    "   .set pop\n");

int main(void) {
    int (*volatile two)(int) = entry_two;
    printf("%d %d %d %d\n", by_j(1), by_jr(4, final), entry_one(5), two(5));
    return 0;
}
