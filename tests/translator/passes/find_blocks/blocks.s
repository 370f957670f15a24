# branches end blocks, their targets begin them; a jump table's targets are entries; data in code is not decoded
        .set noreorder
        .set noat
        .text
        .globl main
        .ent main
main:
        sltiu $2,$4,2
        beq   $2,$0,out
        sll   $2,$4,2
        lui   $3,%hi(table)
        addu  $3,$3,$2
        lw    $3,%lo(table)($3)
        jr    $3
        nop
        .word 0xffffffff, 0xdeadbeef
one:    jr    $31
        li    $2,1
two:    jr    $31
        li    $2,2
out:    jal   main
        nop
        jr    $31
        move  $2,$0
        .section .rodata
table:  .word one, two
        .text
        .end main
        .size main, .-main
