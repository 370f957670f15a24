# sync_acquire goes beside fences, and replaces none
        .set noreorder
        .set noat
        .text
        .globl main
        .ent main
main:
        move  $16,$31
        jal   stays_alone
        nop
        jal   goes_behind_fence
        nop
        jal   goes_before_fence
        nop
        jal   fence_behind_stays
        nop
        jr    $16
        nop
stays_alone:
        lw    $2,0($4)
        sync  0x11
        lw    $3,4($4)
        jr    $31
        nop
goes_behind_fence:
        lw    $2,0($4)
        sync
        sync  0x11
        lw    $3,4($4)
        jr    $31
        nop
goes_before_fence:
        lw    $2,0($4)
        sync  0x11
        sync
        lw    $3,4($4)
        jr    $31
        nop
fence_behind_stays:
        # of a store that the load behind it may not overtake
        sw    $2,0($4)
        sync  0x11
        addiu $5,$5,1
        sync
        lw    $3,4($4)
        jr    $31
        nop
        .end  main
