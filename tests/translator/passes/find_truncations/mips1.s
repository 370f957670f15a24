# trunc.w as assemblers write it for MIPS I, with nops and another instruction around
        .set noreorder
        .set noat
        .text
        .globl main
        .ent main
main:
        cfc1  $4,$31
        cfc1  $4,$31
        nop
        ori   $1,$4,3
        xori  $1,$1,2
        ctc1  $1,$31
        nop
        cvt.w.d $f0,$f12
        ctc1  $4,$31
        nop
        mfc1  $2,$f0
        cfc1  $3,$31
        cfc1  $3,$31
        ori   $1,$3,3
        xori  $1,$1,2
        ctc1  $1,$31
        cvt.w.s $f2,$f14
        ctc1  $3,$31
        jr    $31
        nop
        .end main
        .size main, .-main
