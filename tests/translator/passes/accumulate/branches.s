# slots in the middle of a branch; branch-likely; a call sets the return address
        .set noreorder
        .set noat
        .text
        .globl main
        .ent main
main:
        bne   $2,$3,main
        addiu $2,$2,1
        beql  $2,$3,main
        addiu $5,$5,1
        jal   main
        sw    $31,0($29)
        jr    $31
        nop
        .end main
        .size main, .-main
