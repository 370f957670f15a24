# facts survive a join only where both ways agree; a call leaves none
        .set noreorder
        .set noat
        .text
        .globl main
        .ent main
main:
        beq   $4,$0,1f
        nop
        move  $2,$5
        b     2f
        nop
1:      move  $2,$5
2:      addu  $3,$2,$6
        beq   $3,$0,3f
        nop
        move  $2,$6
3:      addu  $3,$2,$6
        jal   main
        nop
        move  $4,$2
        jr    $31
        nop
        .end main
        .size main, .-main
