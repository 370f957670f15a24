# three operands to one accumulator; register 0 folds; multiply, divide, movz, doubles
        .set noreorder
        .set noat
        .text
        .globl main
        .ent main
main:
        addu  $2,$4,$5
        move  $3,$4
        nor   $6,$4,$0
        slt   $6,$0,$4
        sltu  $6,$0,$4
        mult  $4,$5
        mflo  $2
        div   $0,$4,$5
        movz  $2,$4,$5
        ins   $2,$4,4,8
        lw    $2,4($4)
        sb    $0,0($4)
        add.d $f0,$f2,$f4
        c.lt.s $f0,$f2
        addiu $29,$29,-16
        addiu $29,$29,16
        jr    $31
        nop
        .end main
        .size main, .-main
