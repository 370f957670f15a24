/* neighbour_exchange.c: a message to each neighbour that a rank sends to, and from each that it receives from, all at once. */
#include <stdlib.h>

#include "neighbours.h"

/* Block `i`. Returns an error class. */
static int find_block(const struct mpi_side *side, int i, struct mpi_part *m) {
    struct mpi_measure measure;
    m->type = side->types ? side->types[i] : side->type;
    m->count = side->counts ? side->counts[i] : side->count;
    const int code = m->count < 0 ? MPI_ERR_COUNT : __mog_mpi_measure(&measure, m->type);
    if (code != MPI_SUCCESS) return code;
    const long distance = side->displacements ? side->displacements[i] : side->is_one_block ? 0 : (long)i * m->count;
    m->buffer = side->buffer + (side->offsets ? side->offsets[i] : distance * measure.extent);
    return MPI_SUCCESS;
}

struct exchange {
    const struct mpi_comm *c;
    const struct mpi_topology *t;
    struct mpi_neighbours neighbours[2]; /* those it receives from, those it sends to */
    struct mpi_parts *parts;             /* those that have begun, in this order */
    int tag;
};

/* Begins message `i` of a direction. Returns an error class. */
static int begin(struct exchange *e, const struct mpi_side *side, int outgoing, int i) {
    struct mpi_part *const m = e->parts->part + e->parts->count;
    const int is_grid = !e->neighbours[outgoing].ranks && e->t->kind == MPI_CART;
    const int peer = is_grid ? __mog_mpi_grid_neighbour(e->t, e->c->rank, i / 2, i % 2 ? 1 : -1) : e->neighbours[outgoing].ranks[i];
    /* In a ring of two the neighbours of both sides are the same rank: what goes up comes from below. */
    const int tag = e->tag + (is_grid ? outgoing ? i ^ 1 : i : 0);
    int code = find_block(side, i, m);
    if (code != MPI_SUCCESS) return code;
    code = outgoing ? __mog_mpi_outgoing(&m->bytes, m->buffer, m->count, m->type)
                    : __mog_mpi_incoming(&m->bytes, m->buffer, m->count, m->type);
    if (code != MPI_SUCCESS) return code;
    m->is_incoming = !outgoing;
    mpi_use_type(m->type, 1);
    e->parts->count++;
    if (peer == MPI_PROC_NULL) return MPI_SUCCESS;
    const int said =
        (int)__mog_mpi(MOG_MPI_WORD(outgoing ? MOG_MPI_send : MOG_MPI_receive, MOG_MPI_NONBLOCKING, mpi_message_id(m->type), 0),
                       e->c->context | MOG_MPI_INTERNAL, (unsigned)e->c->rank, (unsigned)peer, (unsigned)(tag & 0x7fffffff),
                       MPI_ADDRESS(m->bytes.start), m->bytes.bytes, MPI_ADDRESS(&m->result));
    m->number = said > 0 ? (unsigned)said : 0;
    return said < 0 ? -said : MPI_SUCCESS;
}

int __mog_mpi_end_parts(struct mpi_parts *parts) {
    int code = MPI_SUCCESS;
    for (unsigned i = 0; i < parts->count; i++) {
        struct mpi_part *const m = parts->part + i;
        if (code == MPI_SUCCESS) code = (int)(m->result.state >> 8);
        if (m->is_incoming && m->bytes.packed) __mog_mpi_arrived(&m->bytes, m->buffer, m->count, m->type, m->result.bytes);
        else __mog_mpi_sent(&m->bytes);
        mpi_use_type(m->type, 0);
    }
    free(parts);
    return code;
}

/* Until all that have begun are done. */
static void wait_for(const struct mpi_parts *parts, unsigned *numbers) {
    for (;;) {
        unsigned pending = 0;
        for (unsigned i = 0; i < parts->count; i++)
            if (parts->part[i].number && !parts->part[i].result.state) numbers[pending++] = parts->part[i].number;
        if (!pending) return;
        __mog_mpi(MOG_MPI_WORD(MOG_MPI_wait, 0, 0, 0), pending == 1 ? *numbers : MPI_ADDRESS(numbers), pending, pending, 0, 0, 0, 0);
    }
}

/* With a request this is given all that has begun; without one, and if something is wrong, nothing is left behind. */
static int run(struct exchange *e, const struct mpi_side *sides[2], unsigned *numbers, struct mpi_request *request) {
    int code = MPI_SUCCESS;
    for (int outgoing = 0; outgoing < 2; outgoing++)
        for (int i = 0; i < e->neighbours[outgoing].count && code == MPI_SUCCESS; i++) code = begin(e, sides[outgoing], outgoing, i);
    if (code == MPI_SUCCESS && request) {
        request->parts = e->parts;
        e->parts = NULL;
        return code;
    }
    for (unsigned i = 0; i < e->parts->count && code != MPI_SUCCESS; i++)
        if (e->parts->part[i].number && !e->parts->part[i].result.state)
            __mog_mpi(MOG_MPI_WORD(MOG_MPI_cancel, 0, 0, 0), e->parts->part[i].number, 0, 0, 0, 0, 0, 0);
    wait_for(e->parts, numbers);
    const int came = __mog_mpi_end_parts(e->parts);
    e->parts = NULL;
    return code == MPI_SUCCESS ? came : code;
}

int __mog_mpi_exchange(MPI_Comm comm, const struct mpi_side *send, const struct mpi_side *receive, MPI_Request *request,
                       const char *function) {
    struct mpi_comm *c;
    struct exchange e = {0};
    int code = __mog_mpi_topology(comm, 0, &c, &e.t);
    if (code != MPI_SUCCESS) return __mog_mpi_failed(comm, code, function);
    e.c = c;
    e.neighbours[0] = __mog_mpi_neighbours(e.t, c->rank, 0);
    e.neighbours[1] = __mog_mpi_neighbours(e.t, c->rank, 1);
    e.tag = (int)c->sequence;
    /* As many tags as neighbours of a grid, alike on all ranks. */
    c->sequence += e.t->kind == MPI_CART ? 2u * (unsigned)e.t->dimensions : 1;
    const size_t all = (size_t)(e.neighbours[0].count + e.neighbours[1].count);
    struct mpi_request *const r = request ? __mog_mpi_new_request(MPI_KIND_PARTS, comm) : NULL;
    unsigned *const numbers = request ? NULL : calloc(all + 1, sizeof *numbers);
    e.parts = calloc(1, sizeof *e.parts + all * sizeof *e.parts->part);
    code = e.parts && (request ? r != NULL : numbers != NULL) ? run(&e, (const struct mpi_side *[]){receive, send}, numbers, r)
                                                              : MPI_ERR_NO_MEM;
    if (r && code == MPI_SUCCESS) *request = r->handle;
    else if (r) __mog_mpi_free_request(r);
    free(e.parts);
    free(numbers);
    return code == MPI_SUCCESS ? code : __mog_mpi_failed(comm, code, function);
}
