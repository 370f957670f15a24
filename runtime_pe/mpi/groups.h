/* groups.h: groups of ranks. Members are world ranks, kept as runs of equal distance: all of 65,536 ranks, or each second of them, are
 * one run of 12 bytes. */
#ifndef MOG_MPI_GROUPS_H
#define MOG_MPI_GROUPS_H

#include "mpi_internal.h"

struct mpi_ranks {
    int first, stride, count; /* stride 1 if there is but one */
};
struct mpi_group {
    int size;
    int uses; /* handles and communicators */
    unsigned run_count;
    struct mpi_ranks *runs;
};

/* Null: it is none. */
struct mpi_group *__mog_mpi_group(MPI_Group group);
/* The rank of a world rank, or MPI_UNDEFINED. */
int __mog_mpi_rank_in_group(const struct mpi_group *group, int world_rank);
/* The world rank of a rank, which is there. */
int __mog_mpi_world_rank(const struct mpi_group *group, int rank);
/* One handle, or communicator, less. */
void __mog_mpi_release_group(struct mpi_group *group);
/* A handle of a group, which gets one more use. Returns an error class. */
int __mog_mpi_group_handle(struct mpi_group *group, MPI_Group *handle);
/* MPI_IDENT, MPI_SIMILAR or MPI_UNEQUAL. */
int __mog_mpi_compare_groups(const struct mpi_group *a, const struct mpi_group *b);

/* A group in the making. */
struct mpi_group_maker {
    struct mpi_group *group; /* null: no memory */
    unsigned room;
};
void __mog_mpi_begin_group(struct mpi_group_maker *maker);
/* Appends world ranks `first`, `first` + `stride` and so on. */
void __mog_mpi_add_ranks(struct mpi_group_maker *maker, int first, int stride, int count);
/* Appends members `rank`, `rank` + `step` and so on of a group, which has all of them. */
void __mog_mpi_add_slice(struct mpi_group_maker *maker, const struct mpi_group *from, int rank, int step, int count);
/* Its handle; an error class. */
int __mog_mpi_end_group(struct mpi_group_maker *maker, MPI_Group *handle);

#endif
