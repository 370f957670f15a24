# Additions that a limit bounds, as runtime_pe/channels/steps.h writes them: in one step; what only looks like them stays
        .set noreorder
        .set noat
        .text
        .globl main
        .ent main
main:
        move  $16,$31
        jal   bounded
        nop
        jal   other_addition_stays
        nop
        jal   own_limit_stays
        nop
        jal   other_way_out_stays
        nop
        jr    $16
        nop
bounded:
        sync
1:      ll    $2,0($4)
        subu  $3,$6,$2
        subu  $3,$3,$5
        bltz  $3,2f
        nop
        addu  $3,$2,$5
        sc    $3,0($4)
        beq   $3,$0,1b
        addiu $7,$7,1
        sync
2:      jr    $31
        nop
other_addition_stays:
        # what is added is not what there has to be room for
        sync
1:      ll    $2,0($4)
        subu  $3,$6,$2
        subu  $3,$3,$5
        bltz  $3,2f
        nop
        addu  $3,$2,$8
        sc    $3,0($4)
        beq   $3,$0,1b
        addiu $7,$7,1
        sync
2:      jr    $31
        nop
own_limit_stays:
        # the loop changes its limit
        sync
1:      ll    $2,0($4)
        subu  $3,$7,$2
        subu  $3,$3,$5
        bltz  $3,2f
        nop
        addu  $3,$2,$5
        sc    $3,0($4)
        beq   $3,$0,1b
        addiu $7,$7,1
        sync
2:      jr    $31
        nop
other_way_out_stays:
        # another register decides
        sync
1:      ll    $2,0($4)
        subu  $3,$6,$2
        subu  $3,$3,$5
        bltz  $5,2f
        nop
        addu  $3,$2,$5
        sc    $3,0($4)
        beq   $3,$0,1b
        addiu $7,$7,1
        sync
2:      jr    $31
        nop
        .end  main
