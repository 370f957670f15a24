/* intercomm.c: making intercommunicators, and making one communicator of theirs. */
#include "comms.h"

/* By an operation of the engine whose words are these. Returns an error class. */
static int make(struct mpi_comm *comm, unsigned operation, unsigned word3, const void *address, MPI_Comm *made) {
    struct mpi_comm *const c = __mog_mpi_new_comm(comm, made);
    if (!c) return MPI_ERR_NO_MEM;
    const int code = -(int)__mog_mpi(MOG_MPI_WORD(operation, 0, 0, 0), comm->context, (unsigned)comm->rank, word3, MPI_ADDRESS(address),
                                     MPI_ADDRESS(c), 0, 0);
    if (code != MPI_SUCCESS) {
        __mog_mpi_drop_comm(*made);
        *made = MPI_COMM_NULL;
    }
    return code;
}

/* The last three of the arguments before the result count at the leader only. */
MPI_DEFINE(Intercomm_create, MPI_Comm local, int leader, MPI_Comm peer, int remote_leader, int tag, MPI_Comm *made) {
    struct mpi_comm *const c = __mog_mpi_comm(local);
    struct mog_mpi_leader other = {0, 0, 0, 0};
    int code = !c || c->remote_size ? MPI_ERR_COMM : (unsigned)leader >= (unsigned)c->size ? MPI_ERR_ROOT : MPI_SUCCESS;
    if (code == MPI_SUCCESS && c->rank == leader) {
        const struct mpi_comm *p = __mog_mpi_comm(peer);
        code = !p || p->remote_size                           ? MPI_ERR_COMM
               : (unsigned)remote_leader >= (unsigned)p->size ? MPI_ERR_RANK
               : tag < 0                                      ? MPI_ERR_TAG
                                                              : MPI_SUCCESS;
        if (code == MPI_SUCCESS) other = (struct mog_mpi_leader){p->context, (unsigned)p->rank, (unsigned)remote_leader, (unsigned)tag};
    }
    MPI_RETURN(local, code != MPI_SUCCESS ? code : make(c, MOG_MPI_join, (unsigned)leader, &other, made));
}

MPI_DEFINE(Intercomm_merge, MPI_Comm comm, int high, MPI_Comm *made) {
    struct mpi_comm *const c = __mog_mpi_comm(comm);
    MPI_RETURN(comm, !c || !c->remote_size ? MPI_ERR_COMM : make(c, MOG_MPI_merge, high != 0, NULL, made));
}
