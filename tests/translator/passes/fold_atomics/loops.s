# gcc's loops of ll and sc: those of words in one step; others as they are, without fences that they do not need
        .set noreorder
        .set noat
        .text
        .globl main
        .ent main
main:
        move  $16,$31
        jal   add_constant
        nop
        jal   unused_result
        nop
        jal   new_value
        nop
        jal   subtract
        nop
        jal   and_constant
        nop
        jal   or_register
        nop
        jal   xor_register
        nop
        jal   exchange
        nop
        jal   exchange_register
        nop
        jal   strong
        nop
        jal   weak_relaxed
        nop
        jal   nand_stays
        nop
        jal   byte_stays
        nop
        jal   byte_exchange_stays
        nop
        jal   carried_stays
        nop
        jal   other_operation_stays
        nop
        jal   loads_stay
        nop
        jal   fences_of_others
        nop
        jr    $16
        nop
        .end main
add_constant:
        sync
1:      ll    $2,4($4)
        addiu $1,$2,5
        sc    $1,4($4)
        beq   $1,$0,1b
        nop
        sync
        jr    $31
        nop
unused_result:
        sync
1:      ll    $1,0($4)
        addu  $1,$1,$5
        sc    $1,0($4)
        beq   $1,$0,1b
        nop
        sync
        jr    $31
        nop
new_value:
        sync
1:      ll    $2,0($4)
        addu  $1,$2,$5
        sc    $1,0($4)
        beq   $1,$0,1b
        addu  $2,$2,$5
        sync
        jr    $31
        nop
subtract:
        sync
1:      ll    $2,4($4)
        subu  $1,$2,$5
        sc    $1,4($4)
        beq   $1,$0,1b
        nop
        sync
        jr    $31
        nop
and_constant:
        sync
1:      ll    $2,4($4)
        andi  $1,$2,255
        sc    $1,4($4)
        beq   $1,$0,1b
        nop
        sync
        jr    $31
        nop
or_register:
        sync
1:      ll    $2,4($4)
        or    $1,$5,$2
        sc    $1,4($4)
        beq   $1,$0,1b
        nop
        sync
        jr    $31
        nop
xor_register:
        sync
1:      ll    $2,4($4)
        xor   $1,$2,$5
        sc    $1,4($4)
        beq   $1,$0,1b
        nop
        sync
        jr    $31
        nop
exchange:
        sync
1:      ll    $2,4($4)
        li    $1,1
        sc    $1,4($4)
        beq   $1,$0,1b
        nop
        sync
        jr    $31
        nop
exchange_register:
        sync
1:      ll    $2,4($4)
        move  $1,$5
        sc    $1,4($4)
        beq   $1,$0,1b
        nop
        sync
        jr    $31
        nop
strong:
        sync
1:      ll    $7,0($4)
        bne   $7,$3,2f
        li    $2,0
        move  $1,$6
        sc    $1,0($4)
        beq   $1,$0,1b
        li    $2,1
        sync
2:      jr    $31
        nop
weak_relaxed:
1:      ll    $7,0($4)
        bne   $7,$3,2f
        li    $2,0
        move  $1,$6
        sc    $1,0($4)
        beq   $1,$0,1b
        li    $2,1
2:      jr    $31
        nop
nand_stays:
        sync
1:      ll    $2,4($4)
        and   $1,$2,$5
        nor   $1,$1,$0
        sc    $1,4($4)
        beq   $1,$0,1b
        nop
        sync
        jr    $31
        nop
byte_stays:
        sync
1:      ll    $2,4($4)
        and   $1,$2,$7
        addu  $8,$2,$5
        and   $8,$8,$6
        or    $1,$1,$8
        sc    $1,4($4)
        beq   $1,$0,1b
        nop
        sync
        jr    $31
        nop
byte_exchange_stays:
        # its first fence orders what is loaded where it does not store
        sync
1:      ll    $6,0($4)
        and   $1,$6,$7
        bne   $1,$10,2f
        and   $1,$6,$9
        or    $1,$1,$5
        sc    $1,0($4)
        beq   $1,$0,1b
        nop
        sync
2:      jr    $31
        nop
carried_stays:
        # the loop changes what it adds; so does the one that multiplies
        sync
1:      ll    $2,0($4)
        addu  $1,$2,$5
        addiu $5,$5,1
        sc    $1,0($4)
        beq   $1,$0,1b
        nop
        sync
        jr    $31
        nop
other_operation_stays:
        sync
1:      ll    $2,4($4)
        subu  $1,$5,$2
        sc    $1,4($4)
        beq   $1,$0,1b
        nop
        sync
        jr    $31
        nop
loads_stay:
1:      ll    $2,0($4)
        lw    $1,0($5)
        addu  $1,$1,$2
        sc    $1,0($4)
        beq   $1,$0,1b
        nop
        jr    $31
        nop
fences_of_others:
        beq   $5,$0,3f
        nop
        sync
1:      ll    $2,0($4)
        addu  $1,$2,$5
        sc    $1,0($4)
        beq   $1,$0,1b
        nop
3:      sync
        jr    $31
        nop
