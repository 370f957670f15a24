/* collective_call.c: from the arguments of a collective to the engine, at once or with a request. */

#include "collectives.h"

/* Of sides.c, in programs that have it. */
#pragma weak __mog_mpi_end_pieces

int __mog_mpi_collective(struct collective *c, unsigned operation, MPI_Comm comm, int root) {
    *c = (struct collective){.comm = __mog_mpi_comm(comm), .handle = comm, .operation = operation, .root = (unsigned)root};
    if (!c->comm) return MPI_ERR_COMM;
    if (c->comm->remote_size && (root == MPI_ROOT || root == MPI_PROC_NULL)) return MPI_SUCCESS;
    return root >= 0 && root < mpi_peers(c->comm) ? MPI_SUCCESS : MPI_ERR_ROOT;
}

int __mog_mpi_collective_out(struct collective *c, const void *buffer, int count, MPI_Datatype type) {
    const int code = __mog_mpi_outgoing(&c->out, buffer, count, type);
    c->send = c->out.start;
    return code;
}

int __mog_mpi_collective_in(struct collective *c, void *buffer, int count, MPI_Datatype type) {
    const int code = __mog_mpi_incoming(&c->in, buffer, count, type);
    c->receive = c->in.start;
    c->in_buffer = buffer;
    c->in_count = count;
    c->in_type = type;
    return code;
}

static int call(const struct collective *c, unsigned flags, const struct mog_mpi_more *more) {
    /* A broadcast has one buffer, whose address is the first. */
    void *first = c->operation == MOG_MPI_bcast && !c->send ? c->receive : c->send;
    return (int)__mog_mpi(MOG_MPI_WORD(c->operation, flags, c->type, c->reduction), c->comm->context, (unsigned)c->comm->rank, c->root,
                          MPI_ADDRESS(first), MPI_ADDRESS(c->receive), c->count, MPI_ADDRESS(more));
}

static int begin(struct collective *c, MPI_Request *request) {
    struct mpi_request *r = __mog_mpi_new_request(MPI_KIND_COLLECTIVE, c->handle);
    if (!r) return MPI_ERR_NO_MEM;
    r->more = c->more;
    r->out = c->out;
    r->pieces = c->pieces;
    r->bytes = c->in;
    __mog_mpi_describe(r, c->in_buffer, c->in_count, c->in_type, 0, 0);
    const int code = __mog_mpi_started(r, call(c, MOG_MPI_NONBLOCKING, &r->more));
    if (code == MPI_SUCCESS) *request = r->handle;
    else __mog_mpi_free_request(r);
    return code;
}

int __mog_mpi_collective_run(struct collective *c, int code, MPI_Request *request, const char *function) {
    if (code == MPI_SUCCESS && request) {
        code = begin(c, request);
        if (code == MPI_SUCCESS) return code;
    } else if (code == MPI_SUCCESS) {
        code = -call(c, 0, c->uses_more ? &c->more : NULL);
    }
    if (c->in.packed) {
        if (code == MPI_SUCCESS) __mog_mpi_arrived(&c->in, c->in_buffer, c->in_count, c->in_type, c->in.bytes);
        else __mog_mpi_sent(&c->in);
    }
    if (c->out.packed) __mog_mpi_sent(&c->out);
    if (c->pieces) __mog_mpi_end_pieces(c->pieces, code == MPI_SUCCESS);
    return code == MPI_SUCCESS ? code : __mog_mpi_failed(c->handle, code, function);
}
