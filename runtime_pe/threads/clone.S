/* clone.S: a thread of Linux begins. int __mog_clone(unsigned flags, void *stack, int *parent_tid, void *thread_pointer, int *child_tid,
 * void (*start)(void *), void *argument): the new thread's number, or the negative of Linux's error. `start` never returns. */
/* Numbers of system calls, as symbols of the assembler. */
#define MOG_LINUX_CALL(number, name) .set .Lcall_##name, number
#include "abi/syscalls.def"

        .set    noreorder
        .section .text.__mog_clone, "ax", @progbits
        .globl  __mog_clone
        .type   __mog_clone, @function
        .ent    __mog_clone
__mog_clone:
        lw      $t0, 20($sp)            /* start */
        lw      $t1, 24($sp)            /* argument */
        addiu   $a1, $a1, -32           /* o32: room for the callee */
        sw      $t0, 0($a1)
        sw      $t1, 4($a1)
        li      $v0, .Lcall_clone
        syscall                         /* the fifth argument is at 16($sp) already */
        bnez    $a3, 1f
        nop
        beqz    $v0, 2f
        nop
        jr      $ra
        nop
1:      jr      $ra
        subu    $v0, $zero, $v0
2:      lw      $t9, 0($sp)
        lw      $a0, 4($sp)
        move    $fp, $zero
        jalr    $t9
        nop
        break
        nop
        .end    __mog_clone
        .size   __mog_clone, . - __mog_clone
