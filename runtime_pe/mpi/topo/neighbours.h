/* neighbours.h: what collectives of neighbours move. */
#ifndef MOG_MPI_NEIGHBOURS_H
#define MOG_MPI_NEIGHBOURS_H

#include "topology.h"

/* Blocks of a buffer, one for each neighbour: displacements count the type's extent, or bytes. */
struct mpi_side {
    char *buffer;
    int count;         /* of each block, */
    const int *counts; /* or of each its own */
    const int *displacements;
    const MPI_Aint *offsets;
    MPI_Datatype type;
    const MPI_Datatype *types;
    int is_one_block; /* the same for all */
};

/* Begins it; without a request it is done when this returns. Errors are those of `function`. */
int __mog_mpi_exchange(MPI_Comm comm, const struct mpi_side *send, const struct mpi_side *receive, MPI_Request *request,
                       const char *function);

#endif
