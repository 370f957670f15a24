# a delay slot that is jumped to stands twice
        .set noreorder
        .set noat
        .text
        .globl main
        .ent main
main:
        bgtz  $4,done
again:  addiu $4,$4,1
        bltz  $4,again
        nop
done:   jr    $31
        nop
        .end main
        .size main, .-main
