# both orders, with unrelated code between; not across a use, a store, or a changed base
        .set noreorder
        .set noat
        .text
        .globl main
        .ent main
main:
        lwl   $2,3($4)
        lwr   $2,0($4)
        lwr   $3,8($4)
        addiu $6,$6,1
        lwl   $3,11($4)
        swl   $2,3($5)
        swr   $2,0($5)
        lwl   $7,3($4)
        sw    $3,0($5)
        lwr   $7,0($4)
        lwl   $4,3($4)
        lwr   $4,0($4)
        lwl   $8,3($5)
        lwr   $8,1($5)
        jr    $31
        nop
        .end main
        .size main, .-main
