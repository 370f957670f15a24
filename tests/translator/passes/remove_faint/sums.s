# Sums of 64 bits of which 32 are read: the high word feeds itself only, and goes. Where something looks at it once, it stays.
        .set    noreorder
        .macro  add_squares
        mtlo    $0
        mthi    $0
1:      lw      $4, 0($6)
        madd    $4, $4
        addiu   $6, $6, 4
        bne     $6, $7, 1b
        nop
        .endm
        .text
        .globl  main
        .ent    main
main:
        addiu   $sp, $sp, -8
        sw      $ra, 4($sp)
        jal     both_words
        nop
        jal     counters
        nop
        jal     low_only
        nop
        lw      $ra, 4($sp)
        sw      $2, -4($sp)     # what low_only gave
        jr      $ra
        addiu   $sp, $sp, 8
        .end    main

        .ent    low_only
low_only:
        add_squares
        jr      $ra
        mflo    $2
        .end    low_only

        .ent    both_words
both_words:
        add_squares
        mfhi    $3
        sw      $3, 0($6)
        jr      $ra
        mflo    $2
        .end    both_words

# A counter that nobody looks at and two that feed each other go. One that decides stays; and one that is an address, whose load may
# stop the PE; and one that a trap asks.
        .ent    counters
counters:
1:      addiu   $9, $9, 1
        addu    $10, $10, $11
        xor     $11, $11, $10
        addiu   $12, $12, 4
        lw      $0, 0($12)
        addiu   $13, $13, 1
        teq     $13, $0, 7
        addiu   $14, $14, -1
        bne     $14, $0, 1b
        nop
        jr      $ra
        nop
        .end    counters
