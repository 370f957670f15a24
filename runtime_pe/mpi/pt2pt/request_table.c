/* request_table.c: where requests live: in blocks that never move, for the engine writes into them. */
#include <stdlib.h>
#include <string.h>

#include "runtime_pe/mpi/base/mpi_internal.h"

enum { FIRST_REQUEST = (int)0xac000000, BLOCK = 8 };

/* Of sides.c and neighbour_exchange.c, in programs that have them. */
#pragma weak __mog_mpi_end_pieces
#pragma weak __mog_mpi_end_parts

static struct mpi_request **blocks;
static int block_count;
static struct mpi_request *free_requests;

static int add_block(void) {
    struct mpi_request **more = realloc(blocks, (size_t)(block_count + 1) * sizeof *blocks);
    if (!more) return 0;
    blocks = more;
    struct mpi_request *block = calloc(BLOCK, sizeof *block);
    if (!block) return 0;
    blocks[block_count] = block;
    for (int i = BLOCK - 1; i >= 0; i--) {
        block[i].handle = FIRST_REQUEST + block_count * BLOCK + i;
        block[i].next = free_requests;
        free_requests = block + i;
    }
    block_count++;
    return 1;
}

void __mog_mpi_settle(struct mpi_request *r) {
    const int came = !(r->more.result.state & MOG_MPI_CANCELLED) && r->kind != MPI_KIND_SEND;
    if (came && r->bytes.packed)
        __mog_mpi_arrived(&r->bytes, r->buffer, r->count, r->type, r->kind == MPI_KIND_RECEIVE ? r->more.result.bytes : r->bytes.bytes);
    else __mog_mpi_sent(&r->bytes);
    __mog_mpi_sent(&r->out);
    if (r->pieces) __mog_mpi_end_pieces(r->pieces, came);
    r->pieces = NULL;
    if (r->kind == MPI_KIND_PARTS) __mog_mpi_end_parts(r->parts);
}

int __mog_mpi_is_done(struct mpi_request *r) {
    if (r->kind != MPI_KIND_PARTS || r->more.result.state) return r->more.result.state != 0;
    unsigned code = MPI_SUCCESS;
    for (unsigned i = 0; i < r->parts->count; i++) {
        const struct mpi_part *const part = r->parts->part + i;
        if (part->number && !part->result.state) return 0;
        code = code == MPI_SUCCESS ? part->result.state >> 8 : code;
    }
    r->more.result.state = MOG_MPI_DONE | code << 8;
    return 1;
}

void __mog_mpi_describe(struct mpi_request *r, void *buffer, int count, MPI_Datatype type, int peer, int tag) {
    r->buffer = buffer;
    r->count = count;
    r->type = type;
    r->peer = peer;
    r->tag = tag;
    mpi_use_type(type, 1);
}

/* Requests that were freed before they were done. */
static void collect_abandoned(void) {
    for (int i = 0; i < block_count * BLOCK; i++) {
        struct mpi_request *r = blocks[i / BLOCK] + i % BLOCK;
        if (r->kind != MPI_KIND_FREE && r->abandoned && __mog_mpi_is_done(r)) {
            __mog_mpi_settle(r);
            __mog_mpi_free_request(r);
        }
    }
}

struct mpi_request *__mog_mpi_new_request(enum mpi_kind kind, MPI_Comm comm) {
    MPI_HOLD_TABLES
    if (!free_requests) collect_abandoned();
    if (!free_requests && !add_block()) return NULL;
    struct mpi_request *r = free_requests;
    free_requests = r->next;
    const MPI_Request handle = r->handle;
    memset(r, 0, sizeof *r);
    r->handle = handle;
    r->kind = (unsigned char)kind;
    r->comm = comm;
    r->active = 1;
    return r;
}

void __mog_mpi_free_request(struct mpi_request *r) {
    MPI_HOLD_TABLES
    mpi_use_type(r->type, 0);
    r->kind = MPI_KIND_FREE;
    r->next = free_requests;
    free_requests = r;
}

struct mpi_request *__mog_mpi_kept_request(MPI_Request handle) {
    MPI_HOLD_TABLES
    const unsigned i = (unsigned)(handle - FIRST_REQUEST);
    if (i >= (unsigned)(block_count * BLOCK)) return NULL;
    struct mpi_request *r = blocks[i / BLOCK] + i % BLOCK;
    return r->kind == MPI_KIND_FREE ? NULL : r;
}

struct mpi_request *__mog_mpi_request(MPI_Request handle) {
    struct mpi_request *const r = __mog_mpi_kept_request(handle);
    return r && !r->abandoned ? r : NULL;
}

int __mog_mpi_started(struct mpi_request *r, int said) {
    if (said < 0) return -said;
    if (said == 0 && !r->more.result.state) r->more.result.state = MOG_MPI_DONE;
    r->number = (unsigned)said;
    return MPI_SUCCESS;
}
