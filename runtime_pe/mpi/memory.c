/* memory.c: memory for messages, which is like any other, and arithmetic of addresses. */
#include <stdlib.h>

#include "mpi_internal.h"

MPI_DEFINE(Alloc_mem, MPI_Aint bytes, MPI_Info info, void *memory)
{
    (void)info;
    void *const room = bytes < 0 ? NULL : malloc(bytes ? (size_t)bytes : 1);
    if (!room)
        MPI_RETURN(MPI_COMM_WORLD, bytes < 0 ? MPI_ERR_ARG : MPI_ERR_NO_MEM);
    *(void **)memory = room;
    return MPI_SUCCESS;
}

MPI_DEFINE(Free_mem, void *memory)
{
    free(memory);
    return MPI_SUCCESS;
}

MPI_Aint MPI_Aint_add(MPI_Aint base, MPI_Aint displacement) __attribute__((weak, alias("PMPI_Aint_add")));
MPI_Aint PMPI_Aint_add(MPI_Aint base, MPI_Aint displacement) { return (MPI_Aint)((unsigned)base + (unsigned)displacement); }
MPI_Aint MPI_Aint_diff(MPI_Aint address, MPI_Aint other) __attribute__((weak, alias("PMPI_Aint_diff")));
MPI_Aint PMPI_Aint_diff(MPI_Aint address, MPI_Aint other) { return (MPI_Aint)((unsigned)address - (unsigned)other); }
