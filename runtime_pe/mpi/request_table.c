/* request_table.c: where requests live: in pieces that never move, for the engine writes into them. */
#include <stdlib.h>
#include <string.h>

#include "mpi_internal.h"

enum { FIRST_REQUEST = (int)0xac000000, PIECE = 8 };

static struct mpi_request **pieces;
static int piece_count;
static struct mpi_request *free_requests;

static int add_piece(void)
{
    struct mpi_request **more = realloc(pieces, (size_t)(piece_count + 1) * sizeof *pieces);
    if (!more)
        return 0;
    pieces = more;
    struct mpi_request *piece = calloc(PIECE, sizeof *piece);
    if (!piece)
        return 0;
    pieces[piece_count] = piece;
    for (int i = PIECE - 1; i >= 0; i--) {
        piece[i].handle = FIRST_REQUEST + piece_count * PIECE + i;
        piece[i].next = free_requests;
        free_requests = piece + i;
    }
    piece_count++;
    return 1;
}

void __mog_mpi_settle(struct mpi_request *r)
{
    const int came = !(r->more.result.state & MOG_MPI_CANCELLED) && r->kind != MPI_KIND_SEND;
    if (came && r->bytes.packed)
        __mog_mpi_arrived(&r->bytes, r->buffer, r->count, r->type, r->kind == MPI_KIND_RECEIVE ? r->more.result.bytes : r->bytes.bytes);
    else
        __mog_mpi_sent(&r->bytes);
    __mog_mpi_sent(&r->out);
    free(r->lists);
    r->lists = NULL;
}

/* Requests that were freed before they were done. */
static void collect_abandoned(void)
{
    for (int i = 0; i < piece_count * PIECE; i++) {
        struct mpi_request *r = pieces[i / PIECE] + i % PIECE;
        if (r->kind != MPI_KIND_FREE && r->abandoned && r->more.result.state) {
            __mog_mpi_settle(r);
            __mog_mpi_free_request(r);
        }
    }
}

struct mpi_request *__mog_mpi_new_request(enum mpi_kind kind, MPI_Comm comm)
{
    if (!free_requests)
        collect_abandoned();
    if (!free_requests && !add_piece())
        return NULL;
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

void __mog_mpi_free_request(struct mpi_request *r)
{
    r->kind = MPI_KIND_FREE;
    r->next = free_requests;
    free_requests = r;
}

struct mpi_request *__mog_mpi_request(MPI_Request handle)
{
    const unsigned i = (unsigned)(handle - FIRST_REQUEST);
    if (i >= (unsigned)(piece_count * PIECE))
        return NULL;
    struct mpi_request *r = pieces[i / PIECE] + i % PIECE;
    return r->kind == MPI_KIND_FREE || r->abandoned ? NULL : r;
}

int __mog_mpi_started(struct mpi_request *r, int said)
{
    if (said < 0)
        return -said;
    if (said == 0 && !r->more.result.state)
        r->more.result.state = MOG_MPI_DONE;
    r->number = (unsigned)said;
    return MPI_SUCCESS;
}
