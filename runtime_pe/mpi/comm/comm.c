/* comm.c: communicators, as this PE sees them. */
#include "runtime_pe/mpi/base/mpi_internal.h"

static struct mpi_comm self = {MOG_MPI_SELF, 0, 1, 0, MPI_ERRORS_ARE_FATAL, 0, NULL};

/* Of comm_table.c, in programs that make communicators. */
struct mpi_comm *__mog_mpi_made_comm(MPI_Comm comm);
#pragma weak __mog_mpi_made_comm

struct mpi_comm *__mog_mpi_other_comm(MPI_Comm comm) {
    if (__mog_mpi_state.stage != MPI_BETWEEN) return NULL;
    if (comm == MPI_COMM_SELF) return &self;
    struct mpi_comm *const c = __mog_mpi_made_comm ? __mog_mpi_made_comm(comm) : NULL;
    /* Of MPI_Comm_idup, not done yet. */
    return c && c->context != MOG_MPI_NO_CONTEXT ? c : NULL;
}

MPI_DEFINE(Comm_rank, MPI_Comm comm, int *rank) {
    const struct mpi_comm *c = __mog_mpi_comm(comm);
    if (!c) MPI_RETURN(comm, MPI_ERR_COMM);
    *rank = c->rank;
    return MPI_SUCCESS;
}

MPI_DEFINE(Comm_size, MPI_Comm comm, int *size) {
    const struct mpi_comm *c = __mog_mpi_comm(comm);
    if (!c) MPI_RETURN(comm, MPI_ERR_COMM);
    *size = c->size;
    return MPI_SUCCESS;
}
