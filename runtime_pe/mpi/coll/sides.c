/* sides.c: buffers of collectives that have blocks of different sizes. Where blocks of a type lie in one piece, the engine reads counts and
 * displacements where the program has them; else all blocks are packed, one after the other. */
#include <stdlib.h>

#include "sides.h"

struct mpi_pieces {
    int n;
    struct mpi_side in;      /* to be unpacked */
    MPI_Datatype *own_types; /* those of `in`, which the program may free meanwhile; null: one for all */
    char *in_packed, *out_packed;
    int bytes[]; /* of each block, then where it begins; for what comes in, then for what goes out */
};

static struct mpi_pieces *make_pieces(struct collective *c) {
    const size_t n = (size_t)mpi_peers(c->comm);
    if (!c->pieces && (c->pieces = calloc(1, sizeof *c->pieces + 4 * n * sizeof(int)))) c->pieces->n = mpi_peers(c->comm);
    return c->pieces;
}

static MPI_Datatype type_of(const struct mpi_side *side, int i) { return side->types ? side->types[i] : side->type; }

/* Of the one type of a side, if there is one. */
static int measure(struct mpi_measure *m, const struct mpi_side *side) {
    *m = (struct mpi_measure){0, 0, 0, 0, 0, 1};
    const int code = side->types ? MPI_SUCCESS : __mog_mpi_measure(m, side->type);
    return m->is_ready ? code : MPI_ERR_TYPE;
}

char *__mog_mpi_place(const struct mpi_side *side, int i, const struct mpi_measure *m) {
    return side->buffer + (long)side->displacements[i] * (side->types ? 1 : m->extent);
}

/* Room for all blocks in one piece, and lists of where they are in it. Outgoing ones are copied there. */
static int pack_side(struct collective *c, const struct mpi_side *side, int outgoing, char **packed) {
    struct mpi_pieces *pieces = make_pieces(c);
    if (!pieces) return MPI_ERR_NO_MEM;
    int *const bytes = pieces->bytes + (outgoing ? 2 : 0) * pieces->n, *const begin = bytes + pieces->n;
    long long total = 0;
    for (int i = 0; i < pieces->n; i++) {
        struct mpi_measure m;
        if (__mog_mpi_measure(&m, type_of(side, i)) != MPI_SUCCESS || !m.is_ready) return MPI_ERR_TYPE;
        if (side->counts[i] < 0 || (m.bytes && (unsigned)side->counts[i] > 0x7fffffffu / m.bytes)) return MPI_ERR_COUNT;
        begin[i] = (int)total;
        bytes[i] = side->counts[i] * (int)m.bytes;
        if ((total += bytes[i]) > 0x7fffffff) return MPI_ERR_COUNT;
    }
    if (!(*packed = malloc(total ? (size_t)total : 1))) return MPI_ERR_NO_MEM;
    for (int i = 0; i < pieces->n && outgoing; i++) {
        struct mpi_measure m;
        __mog_mpi_measure(&m, type_of(side, i));
        __mog_mpi_copy_out(*packed + begin[i], __mog_mpi_place(side, i, &m), side->counts[i], type_of(side, i));
    }
    return MPI_SUCCESS;
}

static int keep_types(struct mpi_pieces *pieces, const struct mpi_side *side) {
    pieces->in = *side;
    if (side->types && !(pieces->own_types = malloc((size_t)pieces->n * sizeof *pieces->own_types))) return MPI_ERR_NO_MEM;
    for (int i = 0; i < (side->types ? pieces->n : 1); i++) {
        if (side->types) pieces->own_types[i] = side->types[i];
        mpi_use_type(type_of(side, i), 1);
    }
    if (side->types) pieces->in.types = pieces->own_types;
    return MPI_SUCCESS;
}

void __mog_mpi_end_pieces(struct mpi_pieces *pieces, int came) {
    for (int i = 0; pieces->in_packed && i < pieces->n; i++) {
        const MPI_Datatype type = type_of(&pieces->in, i);
        struct mpi_measure m;
        __mog_mpi_measure(&m, type);
        if (came)
            __mog_mpi_copy_in(pieces->in_packed + pieces->bytes[pieces->n + i], (unsigned)pieces->bytes[i],
                              __mog_mpi_place(&pieces->in, i, &m), pieces->in.counts[i], type);
        if (pieces->own_types || i == 0) mpi_use_type(type, 0);
    }
    free(pieces->own_types);
    free(pieces->in_packed);
    free(pieces->out_packed);
    free(pieces);
}

/* Words of mog_mpi_more: lists of counts and displacements, and what they count. */
static void tell(unsigned *words, const int *counts, const int *displacements, unsigned unit) {
    words[0] = MPI_ADDRESS(counts);
    words[1] = MPI_ADDRESS(displacements);
    words[2] = unit;
}

int __mog_mpi_send_side(struct collective *c, const struct mpi_side *side, int copies) {
    struct mpi_measure m;
    int code = measure(&m, side);
    c->uses_more = 1;
    c->send = side->buffer + m.offset;
    tell(&c->more.send_counts, side->counts, side->displacements, m.bytes);
    if (code != MPI_SUCCESS || (m.is_tight && !copies)) return code;
    char *packed = NULL;
    code = pack_side(c, side, 1, &packed);
    c->send = packed;
    if (c->pieces) {
        c->pieces->out_packed = packed;
        tell(&c->more.send_counts, c->pieces->bytes + 2 * c->pieces->n, c->pieces->bytes + 3 * c->pieces->n, 1);
    }
    return code;
}

int __mog_mpi_receive_side(struct collective *c, const struct mpi_side *side) {
    struct mpi_measure m;
    int code = measure(&m, side);
    c->uses_more = 1;
    c->receive = side->buffer + m.offset;
    tell(&c->more.receive_counts, side->counts, side->displacements, m.bytes);
    if (code != MPI_SUCCESS || m.is_tight) return code;
    char *packed = NULL;
    code = pack_side(c, side, 0, &packed);
    if (code == MPI_SUCCESS) code = keep_types(c->pieces, side);
    if (code != MPI_SUCCESS) {
        free(packed);
        return code;
    }
    c->receive = c->pieces->in_packed = packed;
    tell(&c->more.receive_counts, c->pieces->bytes, c->pieces->bytes + c->pieces->n, 1);
    return MPI_SUCCESS;
}
