/* memory.c: memory for messages, which is like any other. */
#include <stdlib.h>

#include "mpi_internal.h"

MPI_DEFINE(Alloc_mem, MPI_Aint bytes, MPI_Info info, void *memory) {
    (void)info;
    void *const room = bytes < 0 ? NULL : malloc(bytes ? (size_t)bytes : 1);
    if (!room) MPI_RETURN(MPI_COMM_WORLD, bytes < 0 ? MPI_ERR_ARG : MPI_ERR_NO_MEM);
    *(void **)memory = room;
    return MPI_SUCCESS;
}

MPI_DEFINE(Free_mem, void *memory) {
    free(memory);
    return MPI_SUCCESS;
}
