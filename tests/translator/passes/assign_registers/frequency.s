# sp is 0 and ra is 1, then by use; doubles get neighbours; registers of calls always exist
        .set noreorder
        .set noat
        .text
        .globl main
        .ent main
main:
        addu  $8,$9,$9
        addu  $8,$8,$9
        add.d $f12,$f12,$f12
        sdc1  $f12,0($29)
        sw    $8,8($29)
        jr    $31
        nop
        .end main
        .size main, .-main
