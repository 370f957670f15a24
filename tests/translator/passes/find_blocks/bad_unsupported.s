# an instruction that a PE cannot have is an error that names it
        .set noreorder
        .set noat
        .text
        .globl main
        .ent main
main:
        rdhwr $3,$2
        jr    $31
        nop
        .end main
        .size main, .-main
