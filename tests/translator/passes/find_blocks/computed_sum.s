# A jump to a label and a distance that is a number in the file: each instruction of the function is a target.
        .set noreorder
        .text
        .globl main
        .type main, @function
main:
        lui $2, %hi(here)
        addiu $2, $2, %lo(here)
        lui $3, %hi(table)
        lw $3, %lo(table)($3)
        addu $2, $2, $3
        jr $2
        nop
here:   li $4, 1
        li $4, 2
there:  li $4, 3
        jr $31
        nop
        .size main, . - main

# A switch's table holds addresses: only these are targets.
        .type other, @function
other:
        lui $2, %hi(cases)
        lw $2, %lo(cases)($2)
        jr $2
        nop
case0:  li $4, 1
        li $4, 2
case1:  jr $31
        nop
        .size other, . - other

# So does a table of distances from $gp, whose relocations say so.
        .type relative, @function
relative:
        lw $2, %gp_rel(distances)($28)
        addu $2, $2, $28
        jr $2
        nop
        li $4, 1
        li $4, 2
case2:  jr $31
        nop
        .size relative, . - relative

        .rdata
table:  .word there - here
cases:  .word case0, case1
pointers: .word other, relative
        .sdata
distances:      # .gpword, which is .word unless the whole file is position-independent
        .reloc distances, R_MIPS_GPREL32, case2
        .word 0
