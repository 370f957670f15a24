/* call.S: unsigned __mog_mpi(unsigned word0, ... word7): the way to the host's engine. Words 4 to 7 are where the C caller has put them,
 * which is where system calls have theirs. */
#include "mpi_abi.h"

        .set    noreorder
        .section .text.__mog_mpi, "ax", @progbits
        .globl  __mog_mpi
        .type   __mog_mpi, @function
        .ent    __mog_mpi
__mog_mpi:
        li      $v0, MOG_MPI_CALL
        syscall
        jr      $ra
        nop
        .end    __mog_mpi
        .size   __mog_mpi, . - __mog_mpi
