/* ops.h: operations of the program, and reductions with them. */
#ifndef MOG_MPI_OPS_H
#define MOG_MPI_OPS_H

#include "runtime_pe/mpi/base/mpi_internal.h"

struct mpi_op {
    MPI_User_function *function; /* null: free */
    int commutes;
};
/* Null: it is none of the program's. */
const struct mpi_op *__mog_mpi_op(MPI_Op op);
/* Operations of the engine: its number; 0: it has none. */
static inline unsigned mpi_op_id(MPI_Op op) {
    return (unsigned)op >> 24 == 0x58 && ((unsigned)op & 0xffffff) <= (MPI_NO_OP & 0xff) ? (unsigned)op & 0xff : 0;
}

/* A reduction as its function has it. */
struct mpi_reduction {
    unsigned operation; /* MOG_MPI_reduce and so on */
    const void *send;
    void *receive;
    int count;
    const int *counts; /* of reduce_scatter */
    MPI_Datatype type;
    MPI_Op op;
    int root;
    MPI_Comm comm;
};
/* A reduction with an operation of the program: done (`request` null), or begun. Returns an error class. */
int __mog_mpi_own_reduction(const struct mpi_reduction *reduction, MPI_Request *request);

#endif
