# calls of the four functions, with slots, and by way of a name of the linker's; the last one of a function; not a function of another name, a branch, or a pointer
        .set noreorder
        .text
        .globl main
        .ent main
main:
        jal   __umoddi3
        move  $6,$16
        jal   __divdi3
        nop
        bltz  $2,1f
        lw    $4,0($29)
        jal   __udivdi3
        li    $7,0
        jal   udivdi3
        nop
        jal   .pic.__divdi3
        nop
        lui   $25,%hi(__moddi3)
        addiu $25,$25,%lo(__moddi3)
        jalr  $25
        nop
1:      j     __moddi3
        addiu $29,$29,8
        .end main
        .macro function name
        .globl \name
        .type \name,@function
        .ent \name
\name: jr    $31
        move  $2,$4
        .end \name
        .size \name,.-\name
        .endm
        function __umoddi3
        function __udivdi3
        function __moddi3
        function __divdi3
        function udivdi3
        function .pic.__divdi3
