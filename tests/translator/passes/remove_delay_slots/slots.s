# independent slots go first; dependent ones after the decision; a likely branch's only if it is taken
        .set noreorder
        .set noat
        .text
        .globl main
        .ent main
main:
        bne   $2,$0,main
        addiu $4,$4,1
        bne   $2,$0,main
        addiu $2,$2,1
        jal   main
        sw    $31,0($29)
        jal   main
        addiu $4,$4,4
        beql  $2,$3,main
        addiu $5,$5,1
        jr    $25
        move  $25,$31
        .end main
        .size main, .-main
