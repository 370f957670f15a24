/* Assembly outside of functions: data, symbols, aliases by .set, macros, .rept. */
#include <stdio.h>

extern const int squares[], squares_alias[];
extern const char message[];
__asm__(
    "   .section .rodata\n   .align 2\n   .globl squares, squares_alias, message\n"
    "   .macro square n\n   .word \\n * \\n\n   .endm\n"
    "squares:\n   square 1\n   square 2\n   square 3\n   .set squares_alias, squares + 4\n"
    "message: .ascii \"as\"\n   .rept 3\n   .byte 'x'\n   .endr\n   .asciz \"m\"\n   .text\n");

int main(void) {
    printf("%d %d %s\n", squares[2], squares_alias[0], message);
    return 0;
}
