# what ACC holds is not loaded again; commutative operations swap; constants fold; loads index
        .set noreorder
        .set noat
        .text
        .globl main
        .ent main
main:
        addu  $2,$4,$5
        addu  $2,$2,$6
        xor   $3,$7,$2
        lui   $8,%hi(var)
        lw    $9,%lo(var)($8)
        lw    $10,4($4)
        addu  $11,$10,$9
        sw    $11,0($5)
        li    $2,5
        li    $3,5
        jr    $31
        nop
        .data
var:    .word 1
        .text
        .end main
        .size main, .-main
