/* persistent.c: requests that are started again and again. */
#include "runtime_pe/mpi/base/mpi_internal.h"

/* Of kind SEND with this bit a buffered one. */
enum { BUFFERED = 0x80 };

static int make(enum mpi_kind kind, unsigned flags, void *buffer, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
                MPI_Request *request, const char *function) {
    const struct mpi_comm *c = __mog_mpi_comm(comm);
    int code = !c                      ? MPI_ERR_COMM
               : kind == MPI_KIND_SEND ? __mog_mpi_check_send(c, count, peer, tag)
                                       : __mog_mpi_check_receive(c, count, peer, tag);
    struct mpi_request *r = code == MPI_SUCCESS ? __mog_mpi_new_request(kind, comm) : NULL;
    if (!r) return __mog_mpi_failed(comm, code == MPI_SUCCESS ? MPI_ERR_NO_MEM : code, function);
    r->flags = (unsigned char)flags;
    r->persistent = 1;
    r->active = 0;
    __mog_mpi_describe(r, buffer, count, type, peer, tag);
    *request = r->handle;
    return MPI_SUCCESS;
}

#define MAKE_SEND(name, flags)                                                                                                   \
    MPI_DEFINE(name, const void *buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm, MPI_Request *request) { \
        return make(MPI_KIND_SEND, flags, (void *)buffer, count, type, dest, tag, comm, request, __func__ + 1);                  \
    }
MAKE_SEND(Send_init, 0)
MAKE_SEND(Bsend_init, BUFFERED)
MAKE_SEND(Ssend_init, MOG_MPI_SYNCHRONOUS)
MAKE_SEND(Rsend_init, 0)

MPI_DEFINE(Recv_init, void *buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Request *request) {
    return make(MPI_KIND_RECEIVE, 0, buffer, count, type, source, tag, comm, request, __func__ + 1);
}

static int start(struct mpi_request *r) {
    int code;
    r->more.result = (struct mog_mpi_result){0, 0, 0, 0};
    if (r->kind == MPI_KIND_RECEIVE) code = __mog_mpi_start_receive(r);
    else if (r->flags & BUFFERED) {
        code = __mog_mpi_buffered_send(r->buffer, r->count, r->type, r->peer, r->tag, __mog_mpi_comm(r->comm));
        if (code == MPI_SUCCESS) __mog_mpi_started(r, 0);
    } else code = __mog_mpi_start_send(r);
    r->active = code == MPI_SUCCESS;
    return code;
}

MPI_DEFINE(Start, MPI_Request *request) {
    struct mpi_request *r = __mog_mpi_request(*request);
    if (!r || !r->persistent || r->active) MPI_RETURN(MPI_COMM_WORLD, MPI_ERR_REQUEST);
    const MPI_Comm comm = r->comm;
    MPI_RETURN(comm, start(r));
}

MPI_DEFINE(Startall, int count, MPI_Request requests[]) {
    if (count < 0) MPI_RETURN(MPI_COMM_WORLD, MPI_ERR_COUNT);
    for (int i = 0; i < count; i++) {
        const int code = PMPI_Start(requests + i);
        if (code != MPI_SUCCESS) return code;
    }
    return MPI_SUCCESS;
}
