/* comms.h: communicators of the program, and what belongs to some of all. */
#ifndef MOG_MPI_COMMS_H
#define MOG_MPI_COMMS_H

#include "groups.h"
#include "runtime_pe/mpi/base/attributes.h"

struct mpi_topology;

/* What most communicators never have. */
struct mpi_comm_more {
    struct mpi_group *group, *remote_group; /* null: nobody has asked yet */
    struct mpi_attribute *attributes;
    struct mpi_topology *topology;
    MPI_Info info; /* hints, or MPI_INFO_NULL */
    char *name;
};
/* Null: no memory. */
struct mpi_comm_more *__mog_mpi_comm_more(struct mpi_comm *comm);

/* A communicator whose context, rank and size come later. The error handler is that of `parent`. Null: no memory. */
struct mpi_comm *__mog_mpi_new_comm(const struct mpi_comm *parent, MPI_Comm *handle);
/* It has come to nothing, or is freed: there is no such handle any more. */
void __mog_mpi_drop_comm(MPI_Comm handle);
/* MPI_Comm_split without its arguments checked. Color MPI_UNDEFINED: MPI_COMM_NULL. Returns an error class. */
int __mog_mpi_split(struct mpi_comm *comm, int color, int key, MPI_Comm *made);
/* The group; it stays the communicator's. Returns an error class. */
int __mog_mpi_comm_group(struct mpi_comm *comm, struct mpi_group **group);
int __mog_mpi_comm_remote_group(struct mpi_comm *comm, struct mpi_group **group);

/* Of topology.c, in programs that have it. A null pointer elsewhere. */
int __mog_mpi_copy_topology(const struct mpi_topology *from, struct mpi_topology **to);
#pragma weak __mog_mpi_copy_topology

#endif
