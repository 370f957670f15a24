/* probe.c: looking at messages before they are received. A message that was taken out of matching is named by its number of the
 * engine, and the handle says so, too; that its communicator has gone with it is why there is a table. */
#include <stdlib.h>

#include "runtime_pe/mpi/base/mpi_internal.h"

enum { FIRST_MESSAGE = (int)0xac000000 };
static struct taken {
    MPI_Comm comm; /* MPI_COMM_NULL: free */
    unsigned number;
} * taken;
static int taken_count;

static int keep(MPI_Comm comm, unsigned number, MPI_Message *message) {
    MPI_HOLD_TABLES
    int i = 0;
    while (i < taken_count && taken[i].comm != MPI_COMM_NULL) i++;
    if (i == taken_count) {
        struct taken *more = realloc(taken, (size_t)(taken_count + 1) * sizeof *taken);
        if (!more) return MPI_ERR_NO_MEM;
        taken = more;
        taken_count++;
    }
    taken[i] = (struct taken){comm, number};
    *message = FIRST_MESSAGE + i;
    return MPI_SUCCESS;
}

/* `flag` null: waits. `message` null: leaves it where it is. */
static int probe(int source, int tag, MPI_Comm comm, int *flag, MPI_Message *message, MPI_Status *status, const char *function) {
    const struct mpi_comm *c = __mog_mpi_comm(comm);
    int code = c ? __mog_mpi_check_receive(c, 0, source, tag) : MPI_ERR_COMM;
    if (code != MPI_SUCCESS) return __mog_mpi_failed(comm, code, function);
    if (source == MPI_PROC_NULL) {
        mpi_set_no_proc_status(status);
        if (flag) *flag = 1;
        if (message) *message = MPI_MESSAGE_NO_PROC;
        return MPI_SUCCESS;
    }
    struct mog_mpi_result result = {0, 0, 0, 0};
    const unsigned flags = (flag ? MOG_MPI_NONBLOCKING : 0) | (message ? MOG_MPI_MATCHED : 0);
    const int said = (int)__mog_mpi(MOG_MPI_WORD(MOG_MPI_probe, flags, 0, 0), c->context, (unsigned)c->rank, (unsigned)source,
                                    (unsigned)tag, 0, 0, MPI_ADDRESS(&result));
    if (said < 0) return __mog_mpi_failed(comm, -said, function);
    if (flag) *flag = said > 0;
    if (!flag || said > 0) {
        mpi_set_status(status, result.source, result.tag, result.bytes);
        if (message && (code = keep(comm, (unsigned)said - 1, message)) != MPI_SUCCESS) return __mog_mpi_failed(comm, code, function);
    }
    return MPI_SUCCESS;
}

MPI_DEFINE(Probe, int source, int tag, MPI_Comm comm, MPI_Status *status) {
    return probe(source, tag, comm, NULL, NULL, status, __func__ + 1);
}

MPI_DEFINE(Iprobe, int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status) {
    return probe(source, tag, comm, flag, NULL, status, __func__ + 1);
}

MPI_DEFINE(Mprobe, int source, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status) {
    return probe(source, tag, comm, NULL, message, status, __func__ + 1);
}

MPI_DEFINE(Improbe, int source, int tag, MPI_Comm comm, int *flag, MPI_Message *message, MPI_Status *status) {
    return probe(source, tag, comm, flag, message, status, __func__ + 1);
}

/* A request for a message that was taken: `peer` is its number. */
static int start(void *buffer, int count, MPI_Datatype type, MPI_Message *message, MPI_Request *request) {
    MPI_HOLD_TABLES
    const int i = *message - FIRST_MESSAGE;
    const int nobody = *message == MPI_MESSAGE_NO_PROC;
    if (!nobody && (i < 0 || i >= taken_count || taken[i].comm == MPI_COMM_NULL)) return MPI_ERR_REQUEST;
    if (count < 0) return MPI_ERR_COUNT;
    struct mpi_request *r = __mog_mpi_new_request(MPI_KIND_RECEIVE, nobody ? MPI_COMM_WORLD : taken[i].comm);
    if (!r) return MPI_ERR_NO_MEM;
    r->flags = nobody ? 0 : MOG_MPI_MATCHED;
    __mog_mpi_describe(r, buffer, count, type, nobody ? MPI_PROC_NULL : (int)taken[i].number, 0);
    const int code = __mog_mpi_start_receive(r);
    if (code != MPI_SUCCESS && code != MPI_ERR_TRUNCATE) {
        __mog_mpi_sent(&r->bytes);
        __mog_mpi_free_request(r);
        return code;
    }
    if (!nobody) taken[i].comm = MPI_COMM_NULL;
    *message = MPI_MESSAGE_NULL;
    *request = r->handle;
    return MPI_SUCCESS;
}

MPI_DEFINE(Mrecv, void *buffer, int count, MPI_Datatype type, MPI_Message *message, MPI_Status *status) {
    MPI_Request request;
    const int code = start(buffer, count, type, message, &request);
    if (code != MPI_SUCCESS) MPI_RETURN(MPI_COMM_WORLD, code);
    return PMPI_Wait(&request, status);
}

MPI_DEFINE(Imrecv, void *buffer, int count, MPI_Datatype type, MPI_Message *message, MPI_Request *request) {
    MPI_RETURN(MPI_COMM_WORLD, start(buffer, count, type, message, request));
}
