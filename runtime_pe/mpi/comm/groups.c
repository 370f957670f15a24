/* groups.c: functions about groups. */
#include <stdlib.h>
#include <string.h>

#include "groups.h"

/* Errors of groups belong to no communicator. */
#define GROUP_RETURN(code) MPI_RETURN(MPI_COMM_WORLD, code)

MPI_DEFINE(Group_size, MPI_Group group, int *size) {
    const struct mpi_group *g = __mog_mpi_group(group);
    if (!g) GROUP_RETURN(MPI_ERR_GROUP);
    *size = g->size;
    return MPI_SUCCESS;
}

MPI_DEFINE(Group_rank, MPI_Group group, int *rank) {
    const struct mpi_group *g = __mog_mpi_group(group);
    if (!g) GROUP_RETURN(MPI_ERR_GROUP);
    *rank = __mog_mpi_rank_in_group(g, __mog_mpi_state.world.rank);
    return MPI_SUCCESS;
}

MPI_DEFINE(Group_translate_ranks, MPI_Group group, int count, const int ranks[], MPI_Group other, int translated[]) {
    const struct mpi_group *a = __mog_mpi_group(group), *b = __mog_mpi_group(other);
    if (!a || !b) GROUP_RETURN(MPI_ERR_GROUP);
    if (count < 0) GROUP_RETURN(MPI_ERR_ARG);
    struct mpi_group_lookup in_b;
    int code = MPI_SUCCESS;
    __mog_mpi_begin_lookup(&in_b, b, count);
    for (int i = 0; i < count && code == MPI_SUCCESS; i++) {
        if (ranks[i] == MPI_PROC_NULL) translated[i] = MPI_PROC_NULL;
        else if ((unsigned)ranks[i] >= (unsigned)a->size) code = MPI_ERR_RANK;
        else translated[i] = __mog_mpi_lookup_rank(&in_b, __mog_mpi_world_rank(a, ranks[i]));
    }
    __mog_mpi_end_lookup(&in_b);
    GROUP_RETURN(code);
}

MPI_DEFINE(Group_compare, MPI_Group group, MPI_Group other, int *result) {
    const struct mpi_group *a = __mog_mpi_group(group), *b = __mog_mpi_group(other);
    if (!a || !b) GROUP_RETURN(MPI_ERR_GROUP);
    *result = __mog_mpi_compare_groups(a, b);
    return MPI_SUCCESS;
}

/* Members of `a` that are in `b`, or those that are not. */
static void add_if(struct mpi_group_maker *maker, const struct mpi_group *a, const struct mpi_group *b, int is_in) {
    struct mpi_group_lookup in_b;
    __mog_mpi_begin_lookup(&in_b, b, a->size);
    for (unsigned i = 0; i < a->run_count; i++) {
        const struct mpi_ranks *const run = a->runs + i;
        for (int k = 0, alike, place; k < run->count; k += alike) {
            const int rank = run->first + k * run->stride;
            alike = __mog_mpi_lookup_ranks(&in_b, rank, run->stride, run->count - k, &place);
            if ((place != MPI_UNDEFINED) == is_in) __mog_mpi_add_ranks(maker, rank, run->stride, alike);
        }
    }
    __mog_mpi_end_lookup(&in_b);
}

enum set { UNION, INTERSECTION, DIFFERENCE };

static int combine(enum set how, MPI_Group group, MPI_Group other, MPI_Group *result) {
    const struct mpi_group *a = __mog_mpi_group(group), *b = __mog_mpi_group(other);
    struct mpi_group_maker maker;
    if (!a || !b) return MPI_ERR_GROUP;
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
MPI_DEFINE(Group_intersection, MPI_Group group, MPI_Group other, MPI_Group *result) {
    GROUP_RETURN(combine(INTERSECTION, group, other, result));
}
MPI_DEFINE(Group_difference, MPI_Group group, MPI_Group other, MPI_Group *result) {
    GROUP_RETURN(combine(DIFFERENCE, group, other, result));
}

/* ---- some members: single ranks, or triples of first, last and stride ---- */

struct listed {
    int count;
    const int *ranks; /* null: */
    const int (*triples)[3];
};

/* Ranks of equal distance. */
struct stretch {
    int first, stride, count;
};

/* The stretch that element *i begins, which is moved behind it: a triple, or as many ranks as have the same distance. Its count is 0 if
 * the triple is not valid. */
static struct stretch next_stretch(const struct listed *list, int *i) {
    int at = (*i)++;
    if (!list->ranks) {
        const int first = list->triples[at][0], last = list->triples[at][1], stride = list->triples[at][2];
        const int is_valid = stride != 0 && (first == last || (last > first) == (stride > 0));
        return (struct stretch){first, stride, is_valid ? (last - first) / stride + 1 : 0};
    }
    const int *const ranks = list->ranks, first = ranks[at], left = list->count - at;
    const int stride = left > 1 ? ranks[at + 1] - first : 1;
    int count = 1;
    while (count < left && ranks[at + count] - ranks[at + count - 1] == stride) count++;
    *i = at + count;
    return (struct stretch){first, stride, count};
}

/* Marks the ranks that are listed, a bit for each member: an array of g->size bits from calloc(). All must be there, none twice; returns
 * an error class. */
static int mark_listed(const struct mpi_group *g, const struct listed *list, unsigned **marks) {
    if (!(*marks = calloc((unsigned)g->size / 32 + 1, sizeof **marks))) return MPI_ERR_NO_MEM;
    for (int i = 0; i < list->count;) {
        const struct stretch s = next_stretch(list, &i);
        const long long last = s.first + (s.count - 1LL) * s.stride;
        if (s.count == 0) return MPI_ERR_ARG;
        if ((unsigned)s.first >= (unsigned)g->size || last < 0 || last >= g->size || (s.stride == 0 && s.count > 1)) return MPI_ERR_RANK;
        /* Of neighbours as many as are in one word. */
        const int low = s.stride == 1 ? s.first : s.stride == -1 ? (int)last : -1;
        for (int k = 0, count; k < s.count; k += count) {
            const int rank = low >= 0 ? low + k : s.first + k * s.stride, room = 32 - rank % 32;
            count = low < 0 ? 1 : s.count - k < room ? s.count - k : room;
            unsigned *const word = *marks + rank / 32, bits = ~0u >> (32 - count) << rank % 32;
            if (*word & bits) return MPI_ERR_RANK;
            *word |= bits;
        }
    }
    return MPI_SUCCESS;
}

/* Appends the members that are not marked. */
static void add_unmarked(struct mpi_group_maker *maker, const struct mpi_group *g, const unsigned *marks) {
    int first = 0; /* none from it up to `rank` is marked */
    for (int rank = 0; rank < g->size; rank++) {
        const unsigned word = marks[rank / 32];
        if (rank % 32 == 0 && (word == 0 || word == ~0u)) {
            if (word) {
                __mog_mpi_add_slice(maker, g, first, 1, rank - first);
                first = rank + 32;
            }
            rank += 31;
        } else if (word >> rank % 32 & 1) {
            __mog_mpi_add_slice(maker, g, first, 1, rank - first);
            first = rank + 1;
        }
    }
    __mog_mpi_add_slice(maker, g, first, 1, g->size - first);
}

static int select(int takes, MPI_Group group, struct listed list, MPI_Group *result) {
    const struct mpi_group *g = __mog_mpi_group(group);
    struct mpi_group_maker maker;
    unsigned *marks = NULL;
    if (!g) return MPI_ERR_GROUP;
    int code = list.count < 0 ? MPI_ERR_ARG : mark_listed(g, &list, &marks);
    if (code == MPI_SUCCESS) {
        __mog_mpi_begin_group(&maker);
        if (!takes) add_unmarked(&maker, g, marks);
        for (int i = 0; takes && i < list.count;) {
            const struct stretch s = next_stretch(&list, &i);
            __mog_mpi_add_slice(&maker, g, s.first, s.stride, s.count);
        }
        code = __mog_mpi_end_group(&maker, result);
    }
    free(marks);
    return code;
}

MPI_DEFINE(Group_incl, MPI_Group group, int count, const int ranks[], MPI_Group *result) {
    GROUP_RETURN(select(1, group, (struct listed){.count = count, .ranks = ranks}, result));
}
MPI_DEFINE(Group_excl, MPI_Group group, int count, const int ranks[], MPI_Group *result) {
    GROUP_RETURN(select(0, group, (struct listed){.count = count, .ranks = ranks}, result));
}
MPI_DEFINE(Group_range_incl, MPI_Group group, int count, int ranges[][3], MPI_Group *result) {
    GROUP_RETURN(select(1, group, (struct listed){.count = count, .triples = ranges}, result));
}
MPI_DEFINE(Group_range_excl, MPI_Group group, int count, int ranges[][3], MPI_Group *result) {
    GROUP_RETURN(select(0, group, (struct listed){.count = count, .triples = ranges}, result));
}
