# a comparison's register dies in the branch; HI of a multiplication nobody asks for; what a callee may read stays
        .set noreorder
        .set noat
        .text
        .globl main
        .ent main
main:
        slt   $2,$4,$5
        bne   $2,$0,1f
        nop
        mult  $4,$5
        mflo  $2
        jr    $31
        nop
1:      li    $2,7
        li    $8,9
        jal   helper
        nop
        jr    $31
        nop
        .end main
        .size main, .-main
        .ent helper
helper: addiu $2,$4,1
        jr    $31
        nop
        .end helper
        .ent main2
main2:
        .end main2
