/* collectives.c: collectives that move blocks of one size. */
#include <stdlib.h>
#include <string.h>

#include "collectives.h"

static int barrier(MPI_Comm comm, MPI_Request *request, const char *function) {
    struct collective c;
    return __mog_mpi_collective_run(&c, __mog_mpi_collective(&c, MOG_MPI_barrier, comm, 0), request, function);
}

static int bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request *request, const char *function) {
    struct collective c;
    int code = __mog_mpi_collective(&c, MOG_MPI_bcast, comm, root);
    if (code == MPI_SUCCESS && mpi_takes_part(&c))
        code = mpi_is_root(&c) ? __mog_mpi_collective_out(&c, buffer, count, type) : __mog_mpi_collective_in(&c, buffer, count, type);
    c.count = c.out.bytes + c.in.bytes; /* one of them */
    return __mog_mpi_collective_run(&c, code, request, function);
}

/* In place: the own block of a buffer that has one for each rank, as what is sent or received. */
static int own_block(struct collective *c, void *all, int count, MPI_Datatype type, int outgoing) {
    struct mpi_measure m;
    int code = __mog_mpi_measure(&m, type);
    if (code != MPI_SUCCESS) return code;
    char *const place = (char *)all + (long)c->comm->rank * count * m.extent;
    code = outgoing ? __mog_mpi_collective_out(c, place, count, type) : __mog_mpi_collective_in(c, place, count, type);
    c->count = outgoing ? c->out.bytes : c->in.bytes;
    return code;
}

static int gather(const void *send, int send_count, MPI_Datatype send_type, void *receive, int receive_count, MPI_Datatype receive_type,
                  int root, MPI_Comm comm, MPI_Request *request, const char *function) {
    struct collective c;
    int code = __mog_mpi_collective(&c, MOG_MPI_gather, comm, root);
    const int is_root = code == MPI_SUCCESS && mpi_is_root(&c);
    if (is_root)
        code = receive_count < 0 ? MPI_ERR_COUNT : __mog_mpi_collective_in(&c, receive, receive_count * mpi_peers(c.comm), receive_type);
    if (code == MPI_SUCCESS && is_root && c.comm->remote_size) {
        c.count = c.in.bytes / (unsigned)c.comm->remote_size;
    } else if (code == MPI_SUCCESS && is_root && send == MPI_IN_PLACE) {
        code = own_block(&c, receive, receive_count, receive_type, 1);
    } else if (code == MPI_SUCCESS && mpi_takes_part(&c)) {
        code = __mog_mpi_collective_out(&c, send, send_count, send_type);
        c.count = c.out.bytes;
    }
    if (code == MPI_SUCCESS && is_root && c.in.bytes != c.count * (unsigned)mpi_peers(c.comm)) code = MPI_ERR_COUNT;
    return __mog_mpi_collective_run(&c, code, request, function);
}

static int scatter(const void *send, int send_count, MPI_Datatype send_type, void *receive, int receive_count, MPI_Datatype receive_type,
                   int root, MPI_Comm comm, MPI_Request *request, const char *function) {
    struct collective c;
    int code = __mog_mpi_collective(&c, MOG_MPI_scatter, comm, root);
    const int is_root = code == MPI_SUCCESS && mpi_is_root(&c);
    if (is_root) code = send_count < 0 ? MPI_ERR_COUNT : __mog_mpi_collective_out(&c, send, send_count * mpi_peers(c.comm), send_type);
    if (code == MPI_SUCCESS && is_root && c.comm->remote_size) {
        c.count = c.out.bytes / (unsigned)c.comm->remote_size;
    } else if (code == MPI_SUCCESS && is_root && receive == MPI_IN_PLACE) {
        code = own_block(&c, (void *)send, send_count, send_type, 0);
    } else if (code == MPI_SUCCESS && mpi_takes_part(&c)) {
        code = __mog_mpi_collective_in(&c, receive, receive_count, receive_type);
        c.count = c.in.bytes;
    }
    if (code == MPI_SUCCESS && is_root && c.out.bytes != c.count * (unsigned)mpi_peers(c.comm)) code = MPI_ERR_COUNT;
    return __mog_mpi_collective_run(&c, code, request, function);
}

static int allgather(const void *send, int send_count, MPI_Datatype send_type, void *receive, int receive_count, MPI_Datatype receive_type,
                     MPI_Comm comm, MPI_Request *request, const char *function) {
    struct collective c;
    int code = __mog_mpi_collective(&c, MOG_MPI_allgather, comm, 0);
    if (code == MPI_SUCCESS && receive_count < 0) code = MPI_ERR_COUNT;
    if (code == MPI_SUCCESS && send == MPI_IN_PLACE && !c.comm->remote_size) {
        code = own_block(&c, receive, receive_count, receive_type, 1);
    } else if (code == MPI_SUCCESS) {
        code = __mog_mpi_collective_out(&c, send, send_count, send_type);
        c.count = c.out.bytes;
    }
    if (code == MPI_SUCCESS) code = __mog_mpi_collective_in(&c, receive, receive_count * mpi_peers(c.comm), receive_type);
    if (code == MPI_SUCCESS && c.comm->remote_size) c.root = c.in.bytes / (unsigned)c.comm->remote_size;
    else if (code == MPI_SUCCESS && c.in.bytes != c.count * (unsigned)c.comm->size) code = MPI_ERR_COUNT;
    return __mog_mpi_collective_run(&c, code, request, function);
}

static int alltoall(const void *send, int send_count, MPI_Datatype send_type, void *receive, int receive_count, MPI_Datatype receive_type,
                    MPI_Comm comm, MPI_Request *request, const char *function) {
    struct collective c;
    int code = __mog_mpi_collective(&c, MOG_MPI_alltoall, comm, 0);
    const int in_place = send == MPI_IN_PLACE;
    if (code == MPI_SUCCESS && (receive_count < 0 || (!in_place && send_count < 0))) code = MPI_ERR_COUNT;
    if (code == MPI_SUCCESS)
        code = in_place ? __mog_mpi_collective_out(&c, receive, receive_count * mpi_peers(c.comm), receive_type)
                        : __mog_mpi_collective_out(&c, send, send_count * mpi_peers(c.comm), send_type);
    if (code == MPI_SUCCESS && in_place && !c.out.packed) {
        void *copy = malloc(c.out.bytes ? c.out.bytes : 1);
        if (copy) c.send = c.out.packed = memcpy(copy, c.out.start, c.out.bytes);
        else code = MPI_ERR_NO_MEM;
    }
    if (code == MPI_SUCCESS) code = __mog_mpi_collective_in(&c, receive, receive_count * mpi_peers(c.comm), receive_type);
    if (code == MPI_SUCCESS) {
        c.count = c.out.bytes / (unsigned)mpi_peers(c.comm);
        if (c.comm->remote_size) c.root = c.in.bytes / (unsigned)c.comm->remote_size;
        else if (c.in.bytes != c.out.bytes) code = MPI_ERR_COUNT;
    }
    return __mog_mpi_collective_run(&c, code, request, function);
}

/* ---- each of them at once, and with a request ---- */

#define ROOTED                                                                                                                       \
    const void *send, int send_count, MPI_Datatype send_type, void *receive, int receive_count, MPI_Datatype receive_type, int root, \
        MPI_Comm comm
#define ROOTED_GIVEN send, send_count, send_type, receive, receive_count, receive_type, root, comm
#define FOR_ALL \
    const void *send, int send_count, MPI_Datatype send_type, void *receive, int receive_count, MPI_Datatype receive_type, MPI_Comm comm
#define FOR_ALL_GIVEN send, send_count, send_type, receive, receive_count, receive_type, comm

MPI_DEFINE(Barrier, MPI_Comm comm) { return barrier(comm, NULL, __func__ + 1); }
MPI_DEFINE(Ibarrier, MPI_Comm comm, MPI_Request *request) { return barrier(comm, request, __func__ + 1); }

MPI_DEFINE(Bcast, void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
    return bcast(buffer, count, type, root, comm, NULL, __func__ + 1);
}
MPI_DEFINE(Ibcast, void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request *request) {
    return bcast(buffer, count, type, root, comm, request, __func__ + 1);
}

MPI_DEFINE(Gather, ROOTED) { return gather(ROOTED_GIVEN, NULL, __func__ + 1); }
MPI_DEFINE(Igather, ROOTED, MPI_Request *request) { return gather(ROOTED_GIVEN, request, __func__ + 1); }
MPI_DEFINE(Scatter, ROOTED) { return scatter(ROOTED_GIVEN, NULL, __func__ + 1); }
MPI_DEFINE(Iscatter, ROOTED, MPI_Request *request) { return scatter(ROOTED_GIVEN, request, __func__ + 1); }
MPI_DEFINE(Allgather, FOR_ALL) { return allgather(FOR_ALL_GIVEN, NULL, __func__ + 1); }
MPI_DEFINE(Iallgather, FOR_ALL, MPI_Request *request) { return allgather(FOR_ALL_GIVEN, request, __func__ + 1); }
MPI_DEFINE(Alltoall, FOR_ALL) { return alltoall(FOR_ALL_GIVEN, NULL, __func__ + 1); }
MPI_DEFINE(Ialltoall, FOR_ALL, MPI_Request *request) { return alltoall(FOR_ALL_GIVEN, request, __func__ + 1); }
