/* collectives.h: what files about collectives share. */
#ifndef MOG_MPI_COLLECTIVES_H
#define MOG_MPI_COLLECTIVES_H

#include "runtime_pe/mpi/base/mpi_internal.h"

/* A collective call on its way: what the engine is told, and what is to be done with buffers afterwards. */
struct collective {
    const struct mpi_comm *comm;
    MPI_Comm handle;
    unsigned operation, type, reduction, root;
    void *send, *receive;
    unsigned count;
    struct mpi_bytes out, in;  /* packed copies, if there are any */
    struct mpi_pieces *pieces; /* see mpi_internal.h */
    void *in_buffer;
    int in_count;
    MPI_Datatype in_type;
    int uses_more;
    struct mog_mpi_more more;
};

/* The caller is the root; of an intercommunicator: says so. */
static inline int mpi_is_root(const struct collective *c) {
    return c->comm->remote_size ? (int)c->root == MPI_ROOT : (int)c->root == c->comm->rank;
}
/* The caller has to do with the root at all: not, if it is in its group, of an intercommunicator. */
static inline int mpi_takes_part(const struct collective *c) { return !c->comm->remote_size || (int)c->root != MPI_PROC_NULL; }

/* Null and an error class if there is something wrong with the communicator or the root. */
int __mog_mpi_collective(struct collective *c, unsigned operation, MPI_Comm comm, int root);
/* Buffers of `count` elements: what is sent, where it is received. Error classes. */
int __mog_mpi_collective_out(struct collective *c, const void *buffer, int count, MPI_Datatype type);
int __mog_mpi_collective_in(struct collective *c, void *buffer, int count, MPI_Datatype type);
/* Does it (`request` null), or begins it. `code`: what came of the preparations; it is done only after MPI_SUCCESS. Returns the
 * function's result; errors have been handled. */
int __mog_mpi_collective_run(struct collective *c, int code, MPI_Request *request, const char *function);

#endif
