/* own_comm.h: communicators that belong to a file or a window, and not to the program. */
#ifndef MOG_MPI_OWN_COMM_H
#define MOG_MPI_OWN_COMM_H

#include "runtime_pe/mpi/base/mpi_internal.h"

/* Collective over `of`: the same members in the same order. Returns an error class. */
int __mog_mpi_make_own_comm(struct mpi_comm *made, const struct mpi_comm *of);
void __mog_mpi_leave_own_comm(const struct mpi_comm *comm);
/* Words of a collective of the engine; `type` and `reduction` as it names them. Returns an error class. */
int __mog_mpi_own_collective(const struct mpi_comm *comm, unsigned operation, unsigned type, unsigned reduction, unsigned root,
                             const void *send, void *receive, unsigned count);

#endif
