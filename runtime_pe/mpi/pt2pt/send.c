/* send.c: sends. */
#include "runtime_pe/mpi/base/mpi_internal.h"

static int send_message(unsigned flags, const void *buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
                        const char *function) {
    const struct mpi_comm *c = __mog_mpi_comm(comm);
    struct mpi_bytes bytes;
    int code = c ? __mog_mpi_check_send(c, count, dest, tag) : MPI_ERR_COMM;
    if (code == MPI_SUCCESS) code = __mog_mpi_outgoing(&bytes, buffer, count, type);
    if (code == MPI_SUCCESS && dest != MPI_PROC_NULL)
        code = -(int)__mog_mpi(MOG_MPI_WORD(MOG_MPI_send, flags, mpi_message_id(type), 0), c->context, (unsigned)c->rank, (unsigned)dest,
                               (unsigned)tag, MPI_ADDRESS(bytes.start), bytes.bytes, 0);
    else if (code != MPI_SUCCESS) return __mog_mpi_failed(comm, code, function);
    if (bytes.packed) __mog_mpi_sent(&bytes);
    return code == MPI_SUCCESS ? MPI_SUCCESS : __mog_mpi_failed(comm, code, function);
}

MPI_DEFINE(Send, const void *buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm) {
    return send_message(0, buffer, count, type, dest, tag, comm, __func__ + 1);
}

MPI_DEFINE(Ssend, const void *buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm) {
    return send_message(MOG_MPI_SYNCHRONOUS, buffer, count, type, dest, tag, comm, __func__ + 1);
}

MPI_DEFINE(Rsend, const void *buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm) {
    return send_message(0, buffer, count, type, dest, tag, comm, __func__ + 1);
}

int __mog_mpi_start_send(struct mpi_request *r) {
    const struct mpi_comm *c = __mog_mpi_comm(r->comm);
    const int code = __mog_mpi_outgoing(&r->bytes, r->buffer, r->count, r->type);
    if (code != MPI_SUCCESS) return code;
    if (r->peer == MPI_PROC_NULL) return __mog_mpi_started(r, 0);
    return __mog_mpi_started(r, (int)__mog_mpi(MOG_MPI_WORD(MOG_MPI_send, MOG_MPI_NONBLOCKING | r->flags, mpi_message_id(r->type), 0),
                                               c->context, (unsigned)c->rank, (unsigned)r->peer, (unsigned)r->tag,
                                               MPI_ADDRESS(r->bytes.start), r->bytes.bytes, MPI_ADDRESS(&r->more.result)));
}

static int start(unsigned flags, const void *buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm, MPI_Request *request,
                 const char *function) {
    const struct mpi_comm *c = __mog_mpi_comm(comm);
    int code = c ? __mog_mpi_check_send(c, count, dest, tag) : MPI_ERR_COMM;
    if (code == MPI_SUCCESS && dest == MPI_PROC_NULL) {
        *request = MPI_REQUEST_DONE;
        return MPI_SUCCESS;
    }
    struct mpi_request *r = code == MPI_SUCCESS ? __mog_mpi_new_request(MPI_KIND_SEND, comm) : NULL;
    if (r) {
        r->flags = (unsigned char)flags;
        __mog_mpi_describe(r, (void *)buffer, count, type, dest, tag);
        code = __mog_mpi_start_send(r);
        if (code == MPI_SUCCESS) {
            *request = r->handle;
            if (!r->more.result.state) return MPI_SUCCESS;
            *request = MPI_REQUEST_DONE;
        }
        __mog_mpi_sent(&r->bytes);
        __mog_mpi_free_request(r);
    } else if (code == MPI_SUCCESS) {
        code = MPI_ERR_NO_MEM;
    }
    return code == MPI_SUCCESS ? MPI_SUCCESS : __mog_mpi_failed(comm, code, function);
}

MPI_DEFINE(Isend, const void *buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm, MPI_Request *request) {
    return start(0, buffer, count, type, dest, tag, comm, request, __func__ + 1);
}

MPI_DEFINE(Issend, const void *buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm, MPI_Request *request) {
    return start(MOG_MPI_SYNCHRONOUS, buffer, count, type, dest, tag, comm, request, __func__ + 1);
}

MPI_DEFINE(Irsend, const void *buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm, MPI_Request *request) {
    return start(0, buffer, count, type, dest, tag, comm, request, __func__ + 1);
}
