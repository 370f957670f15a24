/* groups.c: functions about groups. */
#include <stdlib.h>
#include <string.h>

#include "groups.h"

/* Errors of groups belong to no communicator. */
#define GROUP_RETURN(code) MPI_RETURN(MPI_COMM_WORLD, code)

MPI_DEFINE(Group_size, MPI_Group group, int *size)
{
    const struct mpi_group *g = __mog_mpi_group(group);
    if (!g)
        GROUP_RETURN(MPI_ERR_GROUP);
    *size = g->size;
    return MPI_SUCCESS;
}

MPI_DEFINE(Group_rank, MPI_Group group, int *rank)
{
    const struct mpi_group *g = __mog_mpi_group(group);
    if (!g)
        GROUP_RETURN(MPI_ERR_GROUP);
    *rank = __mog_mpi_rank_in_group(g, __mog_mpi_state.world.rank);
    return MPI_SUCCESS;
}

MPI_DEFINE(Group_translate_ranks, MPI_Group group, int count, const int ranks[], MPI_Group other, int translated[])
{
    const struct mpi_group *a = __mog_mpi_group(group), *b = __mog_mpi_group(other);
    if (!a || !b)
        GROUP_RETURN(MPI_ERR_GROUP);
    if (count < 0)
        GROUP_RETURN(MPI_ERR_ARG);
    for (int i = 0; i < count; i++) {
        if (ranks[i] != MPI_PROC_NULL && (unsigned)ranks[i] >= (unsigned)a->size)
            GROUP_RETURN(MPI_ERR_RANK);
        translated[i] = ranks[i] == MPI_PROC_NULL ? MPI_PROC_NULL : __mog_mpi_rank_in_group(b, __mog_mpi_world_rank(a, ranks[i]));
    }
    return MPI_SUCCESS;
}

MPI_DEFINE(Group_compare, MPI_Group group, MPI_Group other, int *result)
{
    const struct mpi_group *a = __mog_mpi_group(group), *b = __mog_mpi_group(other);
    if (!a || !b)
        GROUP_RETURN(MPI_ERR_GROUP);
    *result = __mog_mpi_compare_groups(a, b);
    return MPI_SUCCESS;
}

/* Members of `a` that are in `b`, or those that are not. */
static void add_if(struct mpi_group_maker *maker, const struct mpi_group *a, const struct mpi_group *b, int is_in)
{
    for (int i = 0; i < a->size; i++) {
        const int rank = __mog_mpi_world_rank(a, i);
        if ((__mog_mpi_rank_in_group(b, rank) != MPI_UNDEFINED) == is_in)
            __mog_mpi_add_ranks(maker, rank, 1, 1);
    }
}

enum set { UNION, INTERSECTION, DIFFERENCE };

static int combine(enum set how, MPI_Group group, MPI_Group other, MPI_Group *result)
{
    const struct mpi_group *a = __mog_mpi_group(group), *b = __mog_mpi_group(other);
    struct mpi_group_maker maker;
    if (!a || !b)
        return MPI_ERR_GROUP;
    __mog_mpi_begin_group(&maker);
    if (how == UNION) {
        __mog_mpi_add_slice(&maker, a, 0, 1, a->size);
        add_if(&maker, b, a, 0);
    } else {
        add_if(&maker, a, b, how == INTERSECTION);
    }
    return __mog_mpi_end_group(&maker, result);
}

MPI_DEFINE(Group_union, MPI_Group group, MPI_Group other, MPI_Group *result) { GROUP_RETURN(combine(UNION, group, other, result)); }
MPI_DEFINE(Group_intersection, MPI_Group group, MPI_Group other, MPI_Group *result)
{
    GROUP_RETURN(combine(INTERSECTION, group, other, result));
}
MPI_DEFINE(Group_difference, MPI_Group group, MPI_Group other, MPI_Group *result) { GROUP_RETURN(combine(DIFFERENCE, group, other, result)); }

/* ---- some members, given as triples of first, last and stride ---- */

static int by_value(const void *a, const void *b) { return *(const int *)a < *(const int *)b ? -1 : *(const int *)a > *(const int *)b; }

/* Ranks of triples, ascending, none twice, all there: an array from malloc(). Returns an error class. */
static int sorted_ranks(const struct mpi_group *g, int count, int triples[][3], int **ranks, int *total)
{
    long long all = 0;
    *ranks = NULL;
    if (count < 0)
        return MPI_ERR_ARG;
    for (int i = 0; i < count; i++) {
        const int first = triples[i][0], last = triples[i][1], stride = triples[i][2];
        if (stride == 0 || (first != last && (last > first) != (stride > 0)))
            return MPI_ERR_ARG;
        if ((unsigned)first >= (unsigned)g->size || (unsigned)last >= (unsigned)g->size)
            return MPI_ERR_RANK;
        all += (last - first) / stride + 1;
    }
    if (all > g->size) /* some are there twice */
        return MPI_ERR_RANK;
    *total = (int)all;
    if (!(*ranks = malloc(all ? (size_t)all * sizeof **ranks : 1)))
        return MPI_ERR_NO_MEM;
    int n = 0;
    for (int i = 0; i < count; i++)
        for (int k = (triples[i][1] - triples[i][0]) / triples[i][2], rank = triples[i][0]; k >= 0; k--, rank += triples[i][2])
            (*ranks)[n++] = rank;
    qsort(*ranks, (size_t)n, sizeof **ranks, by_value);
    for (int i = 1; i < n; i++)
        if ((*ranks)[i] == (*ranks)[i - 1])
            return MPI_ERR_RANK;
    return MPI_SUCCESS;
}

static int select(int takes, MPI_Group group, int count, int triples[][3], MPI_Group *result)
{
    const struct mpi_group *g = __mog_mpi_group(group);
    struct mpi_group_maker maker;
    int *ranks, total;
    if (!g)
        return MPI_ERR_GROUP;
    int code = sorted_ranks(g, count, triples, &ranks, &total);
    if (code == MPI_SUCCESS) {
        __mog_mpi_begin_group(&maker);
        if (takes) {
            for (int i = 0; i < count; i++)
                __mog_mpi_add_slice(&maker, g, triples[i][0], triples[i][2], (triples[i][1] - triples[i][0]) / triples[i][2] + 1);
        } else {
            int next = 0;
            for (int i = 0; i < total; next = ranks[i++] + 1)
                __mog_mpi_add_slice(&maker, g, next, 1, ranks[i] - next);
            __mog_mpi_add_slice(&maker, g, next, 1, g->size - next);
        }
        code = __mog_mpi_end_group(&maker, result);
    }
    free(ranks);
    return code;
}

/* Each rank is a triple of its own. */
static int select_ranks(int takes, MPI_Group group, int count, const int ranks[], MPI_Group *result)
{
    const struct mpi_group *g = __mog_mpi_group(group);
    if (!g)
        return MPI_ERR_GROUP;
    if (count < 0 || count > g->size)
        return MPI_ERR_ARG;
    int(*triples)[3] = malloc(count ? (size_t)count * sizeof *triples : 1);
    if (!triples)
        return MPI_ERR_NO_MEM;
    for (int i = 0; i < count; i++) {
        triples[i][0] = triples[i][1] = ranks[i];
        triples[i][2] = 1;
    }
    const int code = select(takes, group, count, triples, result);
    free(triples);
    return code;
}

MPI_DEFINE(Group_incl, MPI_Group group, int count, const int ranks[], MPI_Group *result)
{
    GROUP_RETURN(select_ranks(1, group, count, ranks, result));
}
MPI_DEFINE(Group_excl, MPI_Group group, int count, const int ranks[], MPI_Group *result)
{
    GROUP_RETURN(select_ranks(0, group, count, ranks, result));
}
MPI_DEFINE(Group_range_incl, MPI_Group group, int count, int ranges[][3], MPI_Group *result)
{
    GROUP_RETURN(select(1, group, count, ranges, result));
}
MPI_DEFINE(Group_range_excl, MPI_Group group, int count, int ranges[][3], MPI_Group *result)
{
    GROUP_RETURN(select(0, group, count, ranges, result));
}
