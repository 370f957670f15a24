/* receive.c: receives, and both at once. */
#include <stdlib.h>
#include <string.h>

#include "runtime_pe/mpi/base/mpi_internal.h"

MPI_DEFINE(Recv, void *buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Status *status) {
    const struct mpi_comm *c = __mog_mpi_comm(comm);
    struct mpi_bytes bytes;
    struct mog_mpi_result result = {0, 0, 0, 0};
    int code = c ? __mog_mpi_check_receive(c, count, source, tag) : MPI_ERR_COMM;
    if (code == MPI_SUCCESS) code = __mog_mpi_incoming(&bytes, buffer, count, type);
    if (code != MPI_SUCCESS) MPI_RETURN(comm, code);
    if (source == MPI_PROC_NULL) {
        mpi_set_no_proc_status(status);
        __mog_mpi_sent(&bytes);
        return MPI_SUCCESS;
    }
    const int wants_result = status != MPI_STATUS_IGNORE || bytes.packed;
    code = -(int)__mog_mpi(MOG_MPI_WORD(MOG_MPI_receive, 0, mpi_message_id(type), 0), c->context, (unsigned)c->rank, (unsigned)source,
                           (unsigned)tag, MPI_ADDRESS(bytes.start), bytes.bytes, wants_result ? MPI_ADDRESS(&result) : 0);
    if (bytes.packed) __mog_mpi_arrived(&bytes, buffer, count, type, result.bytes);
    if (result.state) mpi_set_status(status, result.source, result.tag, result.bytes);
    MPI_RETURN(comm, code);
}

int __mog_mpi_start_receive(struct mpi_request *r) {
    const struct mpi_comm *c = __mog_mpi_comm(r->comm);
    const int code = __mog_mpi_incoming(&r->bytes, r->buffer, r->count, r->type);
    if (code != MPI_SUCCESS) return code;
    if (r->peer == MPI_PROC_NULL) {
        r->more.result.source = MPI_PROC_NULL;
        r->more.result.tag = MPI_ANY_TAG;
        return __mog_mpi_started(r, 0);
    }
    return __mog_mpi_started(r, (int)__mog_mpi(MOG_MPI_WORD(MOG_MPI_receive, MOG_MPI_NONBLOCKING | r->flags, mpi_message_id(r->type), 0),
                                               c->context, (unsigned)c->rank, (unsigned)r->peer, (unsigned)r->tag,
                                               MPI_ADDRESS(r->bytes.start), r->bytes.bytes, MPI_ADDRESS(&r->more.result)));
}

MPI_DEFINE(Irecv, void *buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Request *request) {
    const struct mpi_comm *c = __mog_mpi_comm(comm);
    int code = c ? __mog_mpi_check_receive(c, count, source, tag) : MPI_ERR_COMM;
    struct mpi_request *r = code == MPI_SUCCESS ? __mog_mpi_new_request(MPI_KIND_RECEIVE, comm) : NULL;
    if (!r) MPI_RETURN(comm, code == MPI_SUCCESS ? MPI_ERR_NO_MEM : code);
    __mog_mpi_describe(r, buffer, count, type, source, tag);
    code = __mog_mpi_start_receive(r);
    if (code == MPI_SUCCESS) {
        *request = r->handle;
        return MPI_SUCCESS;
    }
    __mog_mpi_sent(&r->bytes);
    __mog_mpi_free_request(r);
    MPI_RETURN(comm, code);
}

MPI_DEFINE(Sendrecv, const void *send, int send_count, MPI_Datatype send_type, int dest, int send_tag, void *receive, int receive_count,
           MPI_Datatype receive_type, int source, int receive_tag, MPI_Comm comm, MPI_Status *status) {
    MPI_Request request;
    int code = PMPI_Irecv(receive, receive_count, receive_type, source, receive_tag, comm, &request);
    if (code != MPI_SUCCESS) return code;
    code = PMPI_Send(send, send_count, send_type, dest, send_tag, comm);
    if (code != MPI_SUCCESS) {
        PMPI_Cancel(&request);
        PMPI_Wait(&request, MPI_STATUS_IGNORE);
        return code;
    }
    return PMPI_Wait(&request, status);
}

MPI_DEFINE(Sendrecv_replace, void *buffer, int count, MPI_Datatype type, int dest, int send_tag, int source, int receive_tag, MPI_Comm comm,
           MPI_Status *status) {
    struct mpi_bytes bytes;
    struct mpi_comm *c = __mog_mpi_comm(comm);
    int code = c ? __mog_mpi_check_send(c, count, dest, send_tag) : MPI_ERR_COMM;
    if (code == MPI_SUCCESS) code = __mog_mpi_outgoing(&bytes, buffer, count, type);
    if (code != MPI_SUCCESS) MPI_RETURN(comm, code);
    /* What was packed is a copy already. */
    if (!bytes.packed) {
        void *copy = malloc(bytes.bytes ? bytes.bytes : 1);
        if (!copy) MPI_RETURN(comm, MPI_ERR_NO_MEM);
        memcpy(copy, bytes.start, bytes.bytes);
        bytes.start = bytes.packed = copy;
    }
    code = PMPI_Sendrecv(bytes.start, (int)bytes.bytes, MPI_BYTE, dest, send_tag, buffer, count, type, source, receive_tag, comm, status);
    __mog_mpi_sent(&bytes);
    return code;
}
