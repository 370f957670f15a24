/* barrier.c */
#include "mpi_internal.h"

MPI_DEFINE(Barrier, MPI_Comm comm)
{
    const struct mpi_comm *c = __mog_mpi_comm(comm);
    if (!c)
        MPI_RETURN(comm, MPI_ERR_COMM);
    MPI_RETURN(comm, -(int)__mog_mpi(MOG_MPI_WORD(MOG_MPI_barrier, 0, 0, 0), c->context, (unsigned)c->rank, 0, 0, 0, 0, 0));
}
