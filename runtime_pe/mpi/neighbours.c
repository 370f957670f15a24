/* neighbours.c: collectives of neighbours: a message to each of those a rank sends to, and from each it receives from, all at once. */
#include <stdlib.h>

#include "topology.h"

/* Blocks of a buffer, one for each neighbour: displacements count the type's extent, or bytes. */
struct side {
    char *buffer;
    int count;           /* of each block, */
    const int *counts;   /* or of each its own */
    const int *displacements;
    const MPI_Aint *offsets;
    MPI_Datatype type;
    const MPI_Datatype *types;
    int is_one_block; /* the same for all */
};

struct message {
    struct mog_mpi_result result;
    struct mpi_bytes bytes;
    char *buffer;
    int count;
    MPI_Datatype type;
};

/* Block `i`. Returns an error class. */
static int find_block(const struct side *side, int i, struct message *m)
{
    struct mpi_measure measure;
    m->type = side->types ? side->types[i] : side->type;
    m->count = side->counts ? side->counts[i] : side->count;
    const int code = m->count < 0 ? MPI_ERR_COUNT : __mog_mpi_measure(&measure, m->type);
    if (code != MPI_SUCCESS)
        return code;
    const long distance = side->displacements ? side->displacements[i] : side->is_one_block ? 0 : (long)i * m->count;
    m->buffer = side->buffer + (side->offsets ? side->offsets[i] : distance * measure.extent);
    return MPI_SUCCESS;
}

struct exchange {
    const struct mpi_comm *c;
    const struct mpi_topology *t;
    struct mpi_neighbours neighbours[2]; /* those it receives from, those it sends to */
    struct message *messages;            /* in this order */
    unsigned *numbers, pending;          /* the engine's, of those that are not done */
    int tag;
};

/* Begins message `i` of a direction. Returns an error class. */
static int begin(struct exchange *e, const struct side *side, int outgoing, int i)
{
    struct message *const m = e->messages + (outgoing ? e->neighbours[0].count : 0) + i;
    const int is_grid = !e->neighbours[outgoing].ranks && e->t->kind == MPI_CART;
    const int peer = is_grid ? __mog_mpi_grid_neighbour(e->t, e->c->rank, i / 2, i % 2 ? 1 : -1) : e->neighbours[outgoing].ranks[i];
    /* In a ring of two the neighbours of both sides are the same rank: what goes up comes from below. */
    const int tag = e->tag + (is_grid ? outgoing ? i ^ 1 : i : 0);
    int code = find_block(side, i, m);
    if (code == MPI_SUCCESS)
        code = outgoing ? __mog_mpi_outgoing(&m->bytes, m->buffer, m->count, m->type)
                        : __mog_mpi_incoming(&m->bytes, m->buffer, m->count, m->type);
    if (code != MPI_SUCCESS || peer == MPI_PROC_NULL)
        return code;
    const int said = (int)__mog_mpi(MOG_MPI_WORD(outgoing ? MOG_MPI_send : MOG_MPI_receive, MOG_MPI_NONBLOCKING, mpi_type_id(m->type), 0),
                                    e->c->context | MOG_MPI_INTERNAL, (unsigned)e->c->rank, (unsigned)peer, (unsigned)(tag & 0x7fffffff),
                                    MPI_ADDRESS(m->bytes.start), m->bytes.bytes, MPI_ADDRESS(&m->result));
    if (said > 0)
        e->numbers[e->pending++] = (unsigned)said;
    return said < 0 ? -said : MPI_SUCCESS;
}

static int run(struct exchange *e, const struct side *sides[2])
{
    int code = MPI_SUCCESS;
    for (int outgoing = 0; outgoing < 2; outgoing++)
        for (int i = 0; i < e->neighbours[outgoing].count && code == MPI_SUCCESS; i++)
            code = begin(e, sides[outgoing], outgoing, i);
    /* What has begun is not left behind, for its memory goes. */
    for (unsigned i = 0; i < e->pending && code != MPI_SUCCESS; i++)
        __mog_mpi(MOG_MPI_WORD(MOG_MPI_cancel, 0, 0, 0), e->numbers[i], 0, 0, 0, 0, 0, 0);
    if (e->pending)
        __mog_mpi(MOG_MPI_WORD(MOG_MPI_wait, 0, 0, 0), e->pending == 1 ? *e->numbers : MPI_ADDRESS(e->numbers), e->pending, e->pending, 0, 0, 0,
                  0);
    const int all = e->neighbours[0].count + e->neighbours[1].count;
    for (int i = 0; i < all; i++) {
        struct message *const m = e->messages + i;
        const int came = (int)(m->result.state >> 8);
        if (code == MPI_SUCCESS)
            code = came;
        if (i < e->neighbours[0].count && m->bytes.packed)
            __mog_mpi_arrived(&m->bytes, m->buffer, m->count, m->type, m->result.bytes);
        else
            __mog_mpi_sent(&m->bytes);
    }
    return code;
}

static int exchange(MPI_Comm comm, const struct side *send, const struct side *receive, const char *function)
{
    struct mpi_comm *c;
    struct exchange e = {0};
    int code = __mog_mpi_topology(comm, 0, &c, &e.t);
    if (code != MPI_SUCCESS)
        return __mog_mpi_failed(comm, code, function);
    e.c = c;
    e.neighbours[0] = __mog_mpi_neighbours(e.t, c->rank, 0);
    e.neighbours[1] = __mog_mpi_neighbours(e.t, c->rank, 1);
    e.tag = (int)c->sequence;
    /* As many tags as neighbours of a grid, alike on all ranks. */
    c->sequence += e.t->kind == MPI_CART ? 2u * (unsigned)e.t->dimensions : 1;
    const size_t all = (size_t)(e.neighbours[0].count + e.neighbours[1].count);
    e.messages = calloc(all + 1, sizeof *e.messages);
    e.numbers = calloc(all + 1, sizeof *e.numbers);
    code = e.messages && e.numbers ? run(&e, (const struct side *[]){receive, send}) : MPI_ERR_NO_MEM;
    free(e.messages);
    free(e.numbers);
    return code == MPI_SUCCESS ? code : __mog_mpi_failed(comm, code, function);
}

MPI_DEFINE(Neighbor_allgather, const void *send, int send_count, MPI_Datatype send_type, void *receive, int receive_count,
           MPI_Datatype receive_type, MPI_Comm comm)
{
    const struct side out = {.buffer = (char *)send, .count = send_count, .type = send_type, .is_one_block = 1};
    const struct side in = {.buffer = receive, .count = receive_count, .type = receive_type};
    return exchange(comm, &out, &in, __func__ + 1);
}

MPI_DEFINE(Neighbor_allgatherv, const void *send, int send_count, MPI_Datatype send_type, void *receive, const int counts[],
           const int displacements[], MPI_Datatype receive_type, MPI_Comm comm)
{
    const struct side out = {.buffer = (char *)send, .count = send_count, .type = send_type, .is_one_block = 1};
    const struct side in = {.buffer = receive, .counts = counts, .displacements = displacements, .type = receive_type};
    return exchange(comm, &out, &in, __func__ + 1);
}

MPI_DEFINE(Neighbor_alltoall, const void *send, int send_count, MPI_Datatype send_type, void *receive, int receive_count,
           MPI_Datatype receive_type, MPI_Comm comm)
{
    const struct side out = {.buffer = (char *)send, .count = send_count, .type = send_type};
    const struct side in = {.buffer = receive, .count = receive_count, .type = receive_type};
    return exchange(comm, &out, &in, __func__ + 1);
}

MPI_DEFINE(Neighbor_alltoallv, const void *send, const int send_counts[], const int send_displacements[], MPI_Datatype send_type,
           void *receive, const int receive_counts[], const int receive_displacements[], MPI_Datatype receive_type, MPI_Comm comm)
{
    const struct side out = {.buffer = (char *)send, .counts = send_counts, .displacements = send_displacements, .type = send_type};
    const struct side in = {.buffer = receive, .counts = receive_counts, .displacements = receive_displacements, .type = receive_type};
    return exchange(comm, &out, &in, __func__ + 1);
}

MPI_DEFINE(Neighbor_alltoallw, const void *send, const int send_counts[], const MPI_Aint send_displacements[],
           const MPI_Datatype send_types[], void *receive, const int receive_counts[], const MPI_Aint receive_displacements[],
           const MPI_Datatype receive_types[], MPI_Comm comm)
{
    const struct side out = {.buffer = (char *)send, .counts = send_counts, .offsets = send_displacements, .types = send_types};
    const struct side in = {.buffer = receive, .counts = receive_counts, .offsets = receive_displacements, .types = receive_types};
    return exchange(comm, &out, &in, __func__ + 1);
}
