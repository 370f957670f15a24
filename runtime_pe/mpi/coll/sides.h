/* sides.h: buffers of collectives that have blocks of different sizes. */
#ifndef MOG_MPI_SIDES_H
#define MOG_MPI_SIDES_H

#include "collectives.h"

/* One side of a collective: blocks of one type, displacements counting its extent; or each of its own type, displacements in bytes. */
struct mpi_side {
    char *buffer;
    const int *counts, *displacements;
    MPI_Datatype type;
    const MPI_Datatype *types;
};

/* What is sent. `copies`: what arrives may overwrite it. Returns an error class. */
int __mog_mpi_send_side(struct collective *c, const struct mpi_side *side, int copies);
int __mog_mpi_receive_side(struct collective *c, const struct mpi_side *side);
/* Where block `i` is. `m`: of its type. */
char *__mog_mpi_place(const struct mpi_side *side, int i, const struct mpi_measure *m);

#endif
