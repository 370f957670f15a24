/* crt0.S: where a program starts, and its control block.
 *
 * MOG and Linux start a program in the same state: $sp points at argc, argv[], 0, envp[], 0, auxv[] (o32). So the very
 * file that MOG runs also runs under qemu-mipsel, as one PE.
 */
        .set    noreorder

/* The control block (launch_abi.h), at MOG_DATA_BASE. These values are those of a program that no MOG runs: one PE,
 * LIMIT 0. MOG's host side overwrites them for each PE. */
        .section .mogcb, "aw", @progbits
        .globl  __mog_control, __mog_nproc, __mog_iproc, __mog_brk, __mog_limit, __mog_lowest_mapping, __mog_window_end, __mog_mpi_device, __mog_brk_most
        .align  4
__mog_control:
__mog_nproc:    .word   1
__mog_iproc:    .word   0
__mog_brk:      .word   _end
__mog_limit:    .word   0
__mog_lowest_mapping:    .word   0               /* where the lowest mapping begins; 0: there is none */
__mog_window_end:        .word   0               /* first address above what all PEs share; 0: there is none */
__mog_mpi_device:        .word   0               /* which of the world's processes this is, with a device of its own */
__mog_brk_most:          .word   0               /* the highest that __mog_brk has been, once the heap has grown */

        .text
        .globl  _start
        .type   _start, @function
        .ent    _start
_start:
        lui     $gp, %hi(_gp)
        addiu   $gp, $gp, %lo(_gp)
        move    $fp, $zero
        move    $a0, $sp
        li      $t0, -16
        and     $sp, $sp, $t0
        addiu   $sp, $sp, -16           /* o32: room for the callee to spill $a0-$a3 */
        jal     __mog_start             /* start.c; never returns */
        nop
        break
        nop
        .end    _start
        .size   _start, . - _start
