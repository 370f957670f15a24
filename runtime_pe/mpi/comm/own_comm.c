/* own_comm.c */
#include "own_comm.h"

int __mog_mpi_make_own_comm(struct mpi_comm *made, const struct mpi_comm *of) {
    struct mog_mpi_made own = {MOG_MPI_NO_CONTEXT, 0, 0, 0};
    if (of->remote_size) return MPI_ERR_COMM;
    const int code = -(int)__mog_mpi(MOG_MPI_WORD(MOG_MPI_split, 0, 0, 0), of->context, (unsigned)of->rank, 0, (unsigned)of->rank,
                                     MPI_ADDRESS(&own), 0, 0);
    *made = (struct mpi_comm){.context = own.context, .rank = own.rank, .size = own.size, .handler = MPI_ERRORS_RETURN};
    return code;
}

void __mog_mpi_leave_own_comm(const struct mpi_comm *comm) {
    __mog_mpi(MOG_MPI_WORD(MOG_MPI_free, 0, 0, 0), comm->context, (unsigned)comm->rank, 0, 0, 0, 0, 0);
}

int __mog_mpi_own_collective(const struct mpi_comm *comm, unsigned operation, unsigned type, unsigned reduction, unsigned root,
                             const void *send, void *receive, unsigned count) {
    return -(int)__mog_mpi(MOG_MPI_WORD(operation, 0, type, reduction), comm->context, (unsigned)comm->rank, root, MPI_ADDRESS(send),
                           MPI_ADDRESS(receive), count, 0);
}
