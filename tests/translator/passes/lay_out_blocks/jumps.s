# chains of jumps, jumps to the next block, a branch around a jump
        .set noreorder
        .set noat
        .text
        .globl main
        .ent main
main:
        beq   $4,$0,1f
        nop
        b     3f
        nop
1:      b     2f
        nop
2:      b     3f
        nop
3:      bne   $5,$0,4f
        nop
        b     5f
        nop
4:      li    $2,1
5:      jr    $31
        nop
        .end main
        .size main, .-main
