/* group_table.c: what groups are made of, and their handles. */
#include <stdlib.h>

#include "groups.h"
#include "runtime_pe/mpi/base/objects.h"

static struct mpi_objects groups = {.first = 0x88000000u};
/* Its one use never ends. */
static struct mpi_group empty = {0, 1, 0, NULL};

struct mpi_group *__mog_mpi_group(MPI_Group group) {
    return group == MPI_GROUP_EMPTY ? &empty : __mog_mpi_object(&groups, group);
}

void __mog_mpi_release_group(struct mpi_group *group) {
    if (group == &empty || --group->uses) return;
    free(group->runs);
    free(group);
}

int __mog_mpi_group_handle(struct mpi_group *group, MPI_Group *handle) {
    if (group->size == 0) {
        *handle = MPI_GROUP_EMPTY;
        return MPI_SUCCESS;
    }
    if (!__mog_mpi_add_object(&groups, group, handle)) return MPI_ERR_NO_MEM;
    group->uses++;
    return MPI_SUCCESS;
}

/* Where in a run a world rank is; -1: nowhere. */
static int place_in_run(const struct mpi_ranks *run, int world_rank) {
    const int distance = world_rank - run->first;
    /* Quotients of strides 1 and -1 need no division. */
    const int place = run->stride == 1 ? distance : run->stride == -1 ? -distance : distance / run->stride;
    return place >= 0 && place < run->count && place * run->stride == distance ? place : -1;
}

int __mog_mpi_rank_in_group(const struct mpi_group *group, int world_rank) {
    for (unsigned i = 0; i < group->run_count; i++) {
        const int place = place_in_run(group->runs + i, world_rank);
        if (place >= 0) return group->runs[i].before + place;
    }
    return MPI_UNDEFINED;
}

/* The run that a rank is in. */
static const struct mpi_ranks *run_of(const struct mpi_group *group, int rank) {
    unsigned low = 0, high = group->run_count; /* it is in [low, high) */
    while (high - low > 1) {
        const unsigned middle = (low + high) / 2;
        if (group->runs[middle].before <= rank) low = middle;
        else high = middle;
    }
    return group->runs + low;
}

int __mog_mpi_world_rank(const struct mpi_group *group, int rank) {
    const struct mpi_ranks *const run = run_of(group, rank);
    return run->first + (rank - run->before) * run->stride;
}

/* ---- many world ranks ---- */

void __mog_mpi_begin_lookup(struct mpi_group_lookup *lookup, const struct mpi_group *group, int times) {
    const int all = __mog_mpi_state.world.size;
    *lookup = (struct mpi_group_lookup){group, NULL};
    /* To fill the table is a step for each world rank, to search one for each run. Without memory for it the runs must do. */
    if ((long long)group->run_count * times <= 2 * (long long)all || !(lookup->ranks = malloc((size_t)all * sizeof *lookup->ranks))) return;
    for (int i = 0; i < all; i++) lookup->ranks[i] = MPI_UNDEFINED;
    for (unsigned i = 0; i < group->run_count; i++) {
        const struct mpi_ranks *const run = group->runs + i;
        for (int k = 0; k < run->count; k++) lookup->ranks[run->first + k * run->stride] = run->before + k;
    }
}

/* How many steps of `stride` there are from `rank` to the first that may be in a run, up to `most`. */
static int steps_to(const struct mpi_ranks *run, int rank, int stride, int most) {
    const int last = run->first + (run->count - 1) * run->stride;
    const int low = run->first < last ? run->first : last, high = run->first < last ? last : run->first;
    const int way = rank < low ? low - rank : rank > high ? high - rank : 0; /* signed as a stride that goes there */
    if (way == 0) return 1;
    if ((way > 0) != (stride > 0)) return most;
    const int steps = stride == 1 ? way : stride == -1 ? -way : (way + stride + (stride > 0 ? -1 : 1)) / stride;
    return steps < most ? steps : most;
}

int __mog_mpi_lookup_ranks(const struct mpi_group_lookup *lookup, int rank, int stride, int count, int *place) {
    const struct mpi_group *const group = lookup->group;
    if (lookup->ranks) {
        *place = lookup->ranks[rank];
        return 1;
    }
    int outside = count;
    for (unsigned i = 0; i < group->run_count; i++) {
        const struct mpi_ranks *const run = group->runs + i;
        const int there = place_in_run(run, rank);
        if (there >= 0) {
            *place = run->before + there;
            return run->stride != stride ? 1 : count < run->count - there ? count : run->count - there;
        }
        outside = steps_to(run, rank, stride, outside);
    }
    *place = MPI_UNDEFINED;
    return outside;
}

int __mog_mpi_lookup_rank(const struct mpi_group_lookup *lookup, int world_rank) {
    return lookup->ranks ? lookup->ranks[world_rank] : __mog_mpi_rank_in_group(lookup->group, world_rank);
}

void __mog_mpi_end_lookup(struct mpi_group_lookup *lookup) { free(lookup->ranks); }

/* ---- in the making ---- */

void __mog_mpi_begin_group(struct mpi_group_maker *maker) { *maker = (struct mpi_group_maker){calloc(1, sizeof *maker->group), 0}; }

void __mog_mpi_drop_group(struct mpi_group_maker *maker) {
    if (maker->group) free(maker->group->runs);
    free(maker->group);
    maker->group = NULL;
}

void __mog_mpi_add_ranks(struct mpi_group_maker *maker, int first, int stride, int count) {
    struct mpi_group *const g = maker->group;
    if (!g || count == 0) return;
    const int before = g->size;
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
        if (!more) return __mog_mpi_drop_group(maker);
        g->runs = more;
        maker->room = room;
    }
    g->runs[g->run_count++] = (struct mpi_ranks){first, count == 1 ? 1 : stride, count, before};
}

void __mog_mpi_add_slice(struct mpi_group_maker *maker, const struct mpi_group *from, int rank, int step, int count) {
    while (count > 0) {
        const struct mpi_ranks *const run = run_of(from, rank);
        const int place = rank - run->before;
        /* As many as are in this run. */
        int here = step > 0 ? (run->count - 1 - place) / step + 1 : place / -step + 1;
        if (here > count) here = count;
        __mog_mpi_add_ranks(maker, run->first + place * run->stride, run->stride * step, here);
        rank += here * step;
        count -= here;
    }
}

int __mog_mpi_end_group(struct mpi_group_maker *maker, MPI_Group *handle) {
    struct mpi_group *const g = maker->group;
    if (!g) return MPI_ERR_NO_MEM;
    g->uses = 1; /* until there is a handle */
    const int code = __mog_mpi_group_handle(g, handle);
    __mog_mpi_release_group(g);
    return code;
}

int __mog_mpi_compare_groups(const struct mpi_group *a, const struct mpi_group *b) {
    if (a->size != b->size) return MPI_UNEQUAL;
    /* The same members in the same order are mostly the same runs. */
    int is_same = a->run_count == b->run_count;
    for (unsigned i = 0; is_same && i < a->run_count; i++)
        is_same = a->runs[i].first == b->runs[i].first && a->runs[i].stride == b->runs[i].stride && a->runs[i].count == b->runs[i].count;
    if (is_same) return MPI_IDENT;
    struct mpi_group_lookup in_b;
    int result = MPI_IDENT;
    __mog_mpi_begin_lookup(&in_b, b, a->size);
    for (unsigned i = 0; i < a->run_count && result != MPI_UNEQUAL; i++) {
        const struct mpi_ranks *const run = a->runs + i;
        for (int k = 0, there; k < run->count && result != MPI_UNEQUAL;) {
            const int at = k;
            k += __mog_mpi_lookup_ranks(&in_b, run->first + k * run->stride, run->stride, run->count - k, &there);
            if (there != run->before + at) result = there == MPI_UNDEFINED ? MPI_UNEQUAL : MPI_SIMILAR;
        }
    }
    __mog_mpi_end_lookup(&in_b);
    return result;
}

MPI_DEFINE(Group_free, MPI_Group *group) {
    struct mpi_group *const g = group ? __mog_mpi_group(*group) : NULL;
    if (!g) MPI_RETURN(MPI_COMM_WORLD, MPI_ERR_GROUP);
    if (g != &empty) {
        __mog_mpi_remove_object(&groups, *group);
        __mog_mpi_release_group(g);
    }
    *group = MPI_GROUP_NULL;
    return MPI_SUCCESS;
}
