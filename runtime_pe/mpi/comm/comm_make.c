/* comm_make.c: functions that make communicators. All are the engine's split, but for MPI_Comm_create_group. */
#include <stdlib.h>

#include "comms.h"

MPI_DEFINE(Comm_split, MPI_Comm comm, int color, int key, MPI_Comm *made) {
    struct mpi_comm *const c = __mog_mpi_comm(comm);
    MPI_RETURN(comm, !c ? MPI_ERR_COMM : color < 0 && color != MPI_UNDEFINED ? MPI_ERR_ARG : __mog_mpi_split(c, color, key, made));
}

/* Those share memory that are on one device: of one process of the world. */
MPI_DEFINE(Comm_split_type, MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *made) {
    struct mpi_comm *const c = __mog_mpi_comm(comm);
    (void)info;
    if (c && type != MPI_COMM_TYPE_SHARED && type != MPI_UNDEFINED) MPI_RETURN(comm, MPI_ERR_ARG);
    MPI_RETURN(comm, !c ? MPI_ERR_COMM : __mog_mpi_split(c, type == MPI_UNDEFINED ? MPI_UNDEFINED : (int)__mog_mpi_device, key, made));
}

static int is_subset(const struct mpi_group *g, const struct mpi_group *all) {
    struct mpi_group_lookup in_all;
    int is_in = 1;
    if (all->size == __mog_mpi_state.world.size) return 1;
    __mog_mpi_begin_lookup(&in_all, all, g->size);
    for (unsigned i = 0; i < g->run_count && is_in; i++) {
        const struct mpi_ranks *const run = g->runs + i;
        for (int k = 0, place; k < run->count && is_in; is_in = place != MPI_UNDEFINED)
            k += __mog_mpi_lookup_ranks(&in_all, run->first + k * run->stride, run->stride, run->count - k, &place);
    }
    __mog_mpi_end_lookup(&in_all);
    return is_in;
}

/* Members give the same group, or disjoint ones: each is told by its first member. */
MPI_DEFINE(Comm_create, MPI_Comm comm, MPI_Group group, MPI_Comm *made) {
    struct mpi_comm *const c = __mog_mpi_comm(comm);
    const struct mpi_group *g = __mog_mpi_group(group);
    struct mpi_group *all;
    int code = !c ? MPI_ERR_COMM : !g ? MPI_ERR_GROUP : __mog_mpi_comm_group(c, &all);
    if (code == MPI_SUCCESS && !is_subset(g, all)) code = MPI_ERR_GROUP;
    if (code != MPI_SUCCESS) MPI_RETURN(comm, code);
    const int key = __mog_mpi_rank_in_group(g, __mog_mpi_state.world.rank);
    /* Of an intercommunicator those of both groups who are in theirs. */
    const int color = key == MPI_UNDEFINED ? MPI_UNDEFINED : c->remote_size ? 0 : __mog_mpi_world_rank(g, 0);
    MPI_RETURN(comm, __mog_mpi_split(c, color, key, made));
}

/* Ranks of the communicator that are in the group, in its order: an array from malloc(). Returns an error class. */
static int ranks_of(struct mpi_comm *c, const struct mpi_group *g, int **ranks) {
    struct mpi_group *all;
    int code = __mog_mpi_comm_group(c, &all);
    if (code == MPI_SUCCESS && !(*ranks = malloc((size_t)g->size * sizeof **ranks))) code = MPI_ERR_NO_MEM;
    if (code != MPI_SUCCESS) return code;
    struct mpi_group_lookup in_all;
    __mog_mpi_begin_lookup(&in_all, all, g->size);
    for (unsigned i = 0; code == MPI_SUCCESS && i < g->run_count; i++) {
        const struct mpi_ranks *const run = g->runs + i;
        int *next = *ranks + run->before;
        for (int k = 0, alike, place; code == MPI_SUCCESS && k < run->count; k += alike) {
            alike = __mog_mpi_lookup_ranks(&in_all, run->first + k * run->stride, run->stride, run->count - k, &place);
            if (place == MPI_UNDEFINED) code = MPI_ERR_GROUP;
            for (int j = 0; j < alike; j++) *next++ = place + j;
        }
    }
    __mog_mpi_end_lookup(&in_all);
    return code;
}

MPI_DEFINE(Comm_create_group, MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *made) {
    struct mpi_comm *const c = __mog_mpi_comm(comm);
    const struct mpi_group *g = __mog_mpi_group(group);
    int *ranks = NULL;
    if (c && c->remote_size) MPI_RETURN(comm, MPI_ERR_COMM);
    if (!c || !g || tag < 0) MPI_RETURN(comm, !c ? MPI_ERR_COMM : !g ? MPI_ERR_GROUP : MPI_ERR_TAG);
    *made = MPI_COMM_NULL;
    if (__mog_mpi_rank_in_group(g, __mog_mpi_state.world.rank) == MPI_UNDEFINED) return MPI_SUCCESS;
    int code = ranks_of(c, g, &ranks);
    struct mpi_comm *const n = code == MPI_SUCCESS ? __mog_mpi_new_comm(c, made) : NULL;
    if (n) {
        code = -(int)__mog_mpi(MOG_MPI_WORD(MOG_MPI_create, 0, 0, 0), c->context, (unsigned)c->rank, MPI_ADDRESS(ranks), (unsigned)g->size,
                               MPI_ADDRESS(n), (unsigned)tag, 0);
        if (code != MPI_SUCCESS) {
            __mog_mpi_drop_comm(*made);
            *made = MPI_COMM_NULL;
        }
    } else if (code == MPI_SUCCESS) {
        code = MPI_ERR_NO_MEM;
    }
    free(ranks);
    MPI_RETURN(comm, code);
}

/* ---- duplicates ---- */

/* What is passed on: attributes and topology. Hints only where they are asked for. */
static int copy_more(MPI_Comm from, const struct mpi_comm *c, struct mpi_comm *copy) {
    if (!c->more || (!c->more->attributes && !c->more->topology)) return MPI_SUCCESS;
    struct mpi_comm_more *const more = __mog_mpi_comm_more(copy);
    int code = more ? MPI_SUCCESS : MPI_ERR_NO_MEM;
    if (code == MPI_SUCCESS && c->more->topology && __mog_mpi_copy_topology)
        code = __mog_mpi_copy_topology(c->more->topology, &more->topology);
    if (code == MPI_SUCCESS && c->more->attributes && __mog_mpi_copy_attributes)
        code = __mog_mpi_copy_attributes(from, c->more->attributes, &more->attributes);
    return code;
}

static int duplicate(MPI_Comm comm, MPI_Comm *made) {
    struct mpi_comm *const c = __mog_mpi_comm(comm);
    if (!c) return MPI_ERR_COMM;
    int code = __mog_mpi_split(c, 0, c->rank, made);
    if (code != MPI_SUCCESS) return code;
    code = copy_more(comm, c, __mog_mpi_comm(*made));
    if (code != MPI_SUCCESS) PMPI_Comm_free(made);
    return code;
}

MPI_DEFINE(Comm_dup, MPI_Comm comm, MPI_Comm *made) { MPI_RETURN(comm, duplicate(comm, made)); }

MPI_DEFINE(Comm_dup_with_info, MPI_Comm comm, MPI_Info info, MPI_Comm *made) {
    const int code = duplicate(comm, made);
    return code == MPI_SUCCESS ? PMPI_Comm_set_info(*made, info) : __mog_mpi_failed(comm, code, __func__ + 1);
}

/* The handle is there at once; the engine writes what it stands for when all have come. */
MPI_DEFINE(Comm_idup, MPI_Comm comm, MPI_Comm *made, MPI_Request *request) {
    struct mpi_comm *const c = __mog_mpi_comm(comm);
    if (!c) MPI_RETURN(comm, MPI_ERR_COMM);
    struct mpi_comm *const n = __mog_mpi_new_comm(c, made);
    struct mpi_request *const r = n ? __mog_mpi_new_request(MPI_KIND_COLLECTIVE, comm) : NULL;
    int code = r ? copy_more(comm, c, n) : MPI_ERR_NO_MEM;
    if (code == MPI_SUCCESS) {
        __mog_mpi_describe(r, NULL, 0, MPI_DATATYPE_NULL, 0, 0);
        code = __mog_mpi_started(r, (int)__mog_mpi(MOG_MPI_WORD(MOG_MPI_split, MOG_MPI_NONBLOCKING, 0, 0), c->context, (unsigned)c->rank, 0,
                                                   (unsigned)c->rank, MPI_ADDRESS(n), 0, MPI_ADDRESS(&r->more)));
    }
    if (code == MPI_SUCCESS) {
        *request = r->handle;
        return MPI_SUCCESS;
    }
    if (r) __mog_mpi_free_request(r);
    if (n) __mog_mpi_drop_comm(*made);
    MPI_RETURN(comm, code);
}
