# both orders, with unrelated code and halves of others between; not across a use, a store, or a changed base
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
        # halves of several words, by one base
        lwl   $2,11($9)
        lwl   $7,15($9)
        lwr   $2,8($9)
        lw    $3,0($9)
        lwr   $7,12($9)
        swl   $2,3($5)
        swl   $7,7($5)
        swr   $2,0($5)
        swr   $7,4($5)
        # words that overlap, another base, a register that is read or set between
        swl   $2,3($5)
        swl   $7,6($5)
        swr   $2,0($5)
        swr   $7,3($5)
        swl   $2,3($5)
        swl   $7,7($6)
        swr   $2,0($5)
        swr   $7,4($6)
        lwl   $2,3($9)
        addu  $3,$3,$2
        lwr   $2,0($9)
        lwl   $10,3($9)
        addiu $9,$9,4
        lwr   $10,0($9)
        swl   $2,3($9)
        addiu $2,$2,4
        swr   $2,0($9)
        jr    $31
        nop
        .end main
        .size main, .-main
