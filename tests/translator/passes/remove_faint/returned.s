# HI where a function is called and returned from: no calling convention is assumed, so what the caller reads of it was computed for it.
        .set    noreorder
        .text
        .globl  main
        .ent    main
main:
        jal     sums
        nop
        mfhi    $8
        sw      $8, 0($sp)
        jr      $16
        nop
        .end    main

        .ent    sums
sums:
        mult    $4, $5
2:      maddu   $4, $5
        addiu   $4, $4, 1
        bne     $4, $7, 2b
        nop
        jr      $ra
        nop
        .end    sums
