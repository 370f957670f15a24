# a comparison of doubles is not swapped where a later block relies on what D held before it
        .set noreorder
        .set noat
        .text
        .globl main
        .ent main
main:
        mov.d $f22,$f4
        abs.d $f22,$f4
        c.seq.d $fcc0,$f4,$f22
        bc1f  main
        nop
        add.d $f0,$f4,$f6
        jr    $31
        nop
        .end main
        .size main, .-main
