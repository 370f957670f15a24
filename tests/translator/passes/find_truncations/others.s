# the same, but somebody else looks at the control register: nothing changes
        .set noreorder
        .set noat
        .text
        .globl main
        .ent main
main:
        cfc1  $4,$31
        cfc1  $4,$31
        ori   $1,$4,3
        xori  $1,$1,2
        ctc1  $1,$31
        cvt.w.d $f0,$f12
        ctc1  $4,$31
        cfc1  $2,$31
        jr    $31
        nop
        .end main
        .size main, .-main
