/* call.S: unsigned __mog_mpi(unsigned word0, ... word7): the way to the host's engine. Words 4 to 7 are where the C caller has put them,
 * which is where system calls have theirs. Programs with schedules have something to do beside their calls: theirs go to progress.c, and those of threads to threads.c. */
/* Numbers of system calls, as symbols of the assembler. */
#define MOG_LINUX_CALL(number, name) .set .Lcall_##name, number
#include "abi/syscalls.def"

        .weak   __mog_mpi_beside
        .weak   __mog_mpi_of_thread
        .set    noreorder

        .section .text.__mog_mpi, "ax", @progbits
        .globl  __mog_mpi
        .type   __mog_mpi, @function
        .ent    __mog_mpi
__mog_mpi:
        lui     $t0, %hi(__mog_mpi_of_thread)
        addiu   $t0, $t0, %lo(__mog_mpi_of_thread)
        bnez    $t0, 1f
        lui     $t0, %hi(__mog_mpi_beside)
        addiu   $t0, $t0, %lo(__mog_mpi_beside)
        bnez    $t0, 1f
        nop
        li      $v0, .Lcall_mog_mpi
        syscall
        jr      $ra
        nop
1:      lui     $t1, %hi(__mog_mpi_of_thread)
        addiu   $t1, $t1, %lo(__mog_mpi_of_thread)
        movn    $t0, $t1, $t1
        jr      $t0
        nop
        .end    __mog_mpi
        .size   __mog_mpi, . - __mog_mpi

/* The same, past progress.c. */
        .section .text.__mog_mpi_engine, "ax", @progbits
        .globl  __mog_mpi_engine
        .type   __mog_mpi_engine, @function
        .ent    __mog_mpi_engine
__mog_mpi_engine:
        li      $v0, .Lcall_mog_mpi
        syscall
        jr      $ra
        nop
        .end    __mog_mpi_engine
        .size   __mog_mpi_engine, . - __mog_mpi_engine
