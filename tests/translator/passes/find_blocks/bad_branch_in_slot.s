# a jump in a delay slot
        .set noreorder
        .set noat
        .text
        .globl main
        .ent main
main:
        beq   $4,$5,main
        j     main
        nop
        .end main
        .size main, .-main
