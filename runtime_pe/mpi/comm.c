/* comm.c: communicators, as this PE sees them. */
#include "mpi_internal.h"

static struct mpi_comm self = {MOG_MPI_SELF, 0, 1, MPI_ERRORS_ARE_FATAL, 0};

struct mpi_comm *__mog_mpi_other_comm(MPI_Comm comm)
{
    return comm == MPI_COMM_SELF && __mog_mpi_state.stage == MPI_BETWEEN ? &self : NULL;
}

MPI_DEFINE(Comm_rank, MPI_Comm comm, int *rank)
{
    const struct mpi_comm *c = __mog_mpi_comm(comm);
    if (!c)
        MPI_RETURN(comm, MPI_ERR_COMM);
    *rank = c->rank;
    return MPI_SUCCESS;
}

MPI_DEFINE(Comm_size, MPI_Comm comm, int *size)
{
    const struct mpi_comm *c = __mog_mpi_comm(comm);
    if (!c)
        MPI_RETURN(comm, MPI_ERR_COMM);
    *size = c->size;
    return MPI_SUCCESS;
}
