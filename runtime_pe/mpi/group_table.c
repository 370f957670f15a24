/* group_table.c: what groups are made of, and their handles. */
#include <stdlib.h>

#include "groups.h"
#include "objects.h"

static struct mpi_objects groups = {.first = 0x88000000u};
/* Its one use never ends. */
static struct mpi_group empty = {0, 1, 0, NULL};

struct mpi_group *__mog_mpi_group(MPI_Group group) { return group == MPI_GROUP_EMPTY ? &empty : __mog_mpi_object(&groups, group); }

void __mog_mpi_release_group(struct mpi_group *group)
{
    if (group == &empty || --group->uses)
        return;
    free(group->runs);
    free(group);
}

int __mog_mpi_group_handle(struct mpi_group *group, MPI_Group *handle)
{
    if (group->size == 0) {
        *handle = MPI_GROUP_EMPTY;
        return MPI_SUCCESS;
    }
    if (!__mog_mpi_add_object(&groups, group, handle))
        return MPI_ERR_NO_MEM;
    group->uses++;
    return MPI_SUCCESS;
}

int __mog_mpi_rank_in_group(const struct mpi_group *group, int world_rank)
{
    int before = 0;
    for (unsigned i = 0; i < group->run_count; i++) {
        const struct mpi_ranks *const run = group->runs + i;
        const int distance = world_rank - run->first;
        /* Quotients of strides 1 and -1 need no division. */
        const int place = run->stride == 1 ? distance : run->stride == -1 ? -distance : distance / run->stride;
        if (place >= 0 && place < run->count && place * run->stride == distance)
            return before + place;
        before += run->count;
    }
    return MPI_UNDEFINED;
}

int __mog_mpi_world_rank(const struct mpi_group *group, int rank)
{
    const struct mpi_ranks *run = group->runs;
    for (; rank >= run->count; run++)
        rank -= run->count;
    return run->first + rank * run->stride;
}

void __mog_mpi_begin_group(struct mpi_group_maker *maker) { *maker = (struct mpi_group_maker){calloc(1, sizeof *maker->group), 0}; }

static void fail(struct mpi_group_maker *maker)
{
    free(maker->group->runs);
    free(maker->group);
    maker->group = NULL;
}

void __mog_mpi_add_ranks(struct mpi_group_maker *maker, int first, int stride, int count)
{
    struct mpi_group *const g = maker->group;
    if (!g || count == 0)
        return;
    g->size += count;
    struct mpi_ranks *const last = g->run_count ? g->runs + g->run_count - 1 : NULL;
    const int distance = last ? first - (last->first + (last->count - 1) * last->stride) : 0;
    if (last && (last->count == 1 || last->stride == distance) && (count == 1 || stride == distance)) {
        last->stride = distance;
        last->count += count;
        return;
    }
    if (g->run_count == maker->room) {
        const unsigned room = maker->room ? 2 * maker->room : 1;
        struct mpi_ranks *more = realloc(g->runs, room * sizeof *more);
        if (!more)
            return fail(maker);
        g->runs = more;
        maker->room = room;
    }
    g->runs[g->run_count++] = (struct mpi_ranks){first, count == 1 ? 1 : stride, count};
}

void __mog_mpi_add_slice(struct mpi_group_maker *maker, const struct mpi_group *from, int rank, int step, int count)
{
    while (count > 0) {
        const struct mpi_ranks *run = from->runs;
        int place = rank;
        for (; place >= run->count; run++)
            place -= run->count;
        /* As many as are in this run. */
        int here = step > 0 ? (run->count - 1 - place) / step + 1 : place / -step + 1;
        if (here > count)
            here = count;
        __mog_mpi_add_ranks(maker, run->first + place * run->stride, run->stride * step, here);
        rank += here * step;
        count -= here;
    }
}

int __mog_mpi_end_group(struct mpi_group_maker *maker, MPI_Group *handle)
{
    struct mpi_group *const g = maker->group;
    if (!g)
        return MPI_ERR_NO_MEM;
    g->uses = 1; /* until there is a handle */
    const int code = __mog_mpi_group_handle(g, handle);
    __mog_mpi_release_group(g);
    return code;
}

int __mog_mpi_compare_groups(const struct mpi_group *a, const struct mpi_group *b)
{
    if (a->size != b->size)
        return MPI_UNEQUAL;
    /* The same members in the same order are mostly the same runs. */
    int is_same = a->run_count == b->run_count;
    for (unsigned i = 0; is_same && i < a->run_count; i++)
        is_same = a->runs[i].first == b->runs[i].first && a->runs[i].stride == b->runs[i].stride && a->runs[i].count == b->runs[i].count;
    if (is_same)
        return MPI_IDENT;
    is_same = 1;
    for (int i = 0; i < a->size; i++) {
        const int there = __mog_mpi_rank_in_group(b, __mog_mpi_world_rank(a, i));
        if (there == MPI_UNDEFINED)
            return MPI_UNEQUAL;
        is_same &= there == i;
    }
    return is_same ? MPI_IDENT : MPI_SIMILAR;
}

MPI_DEFINE(Group_free, MPI_Group *group)
{
    struct mpi_group *const g = group ? __mog_mpi_group(*group) : NULL;
    if (!g)
        MPI_RETURN(MPI_COMM_WORLD, MPI_ERR_GROUP);
    if (g != &empty) {
        __mog_mpi_remove_object(&groups, *group);
        __mog_mpi_release_group(g);
    }
    *group = MPI_GROUP_NULL;
    return MPI_SUCCESS;
}
