/* groups.h: groups of ranks. Members are world ranks, kept as runs of equal distance: all of 65,536 ranks, or each second of them, are
 * one run of 16 bytes. */
#ifndef MOG_MPI_GROUPS_H
#define MOG_MPI_GROUPS_H

#include "runtime_pe/mpi/base/mpi_internal.h"

struct mpi_ranks {
    int first, stride, count; /* stride 1 if there is but one */
    int before;               /* members in the runs before this one */
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

/* The same for many world ranks: of a group of many runs a table is made first, for to search the runs for each would take the square
 * of the time. */
struct mpi_group_lookup {
    const struct mpi_group *group;
    int *ranks; /* of each world rank; null: the runs are searched */
};
void __mog_mpi_begin_lookup(struct mpi_group_lookup *lookup, const struct mpi_group *group, int times);
/* How many of `count` world ranks, from `rank` on by `stride`, can be told at once, at least 1: they are in the group one behind the
 * other from *place on, or none of them is (MPI_UNDEFINED). */
int __mog_mpi_lookup_ranks(const struct mpi_group_lookup *lookup, int rank, int stride, int count, int *place);
/* One: its place, or MPI_UNDEFINED. */
int __mog_mpi_lookup_rank(const struct mpi_group_lookup *lookup, int world_rank);
void __mog_mpi_end_lookup(struct mpi_group_lookup *lookup);
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
/* Gives up what there is of it. */
void __mog_mpi_drop_group(struct mpi_group_maker *maker);
/* Its handle; an error class. */
int __mog_mpi_end_group(struct mpi_group_maker *maker, MPI_Group *handle);

#endif
