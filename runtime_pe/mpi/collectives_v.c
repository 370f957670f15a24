/* collectives_v.c: collectives whose blocks differ in size. The engine reads counts and displacements where the program has them. */
#include <stdlib.h>
#include <string.h>

#include "collectives.h"

static int send_side(struct collective *c, const void *buffer, const int *counts, const int *displacements, MPI_Datatype type)
{
    c->uses_more = 1;
    c->send = (void *)buffer;
    c->more.send_counts = MPI_ADDRESS(counts);
    c->more.send_displacements = MPI_ADDRESS(displacements);
    c->more.send_unit = __mog_mpi_basic_size(type);
    return c->more.send_unit ? MPI_SUCCESS : MPI_ERR_TYPE;
}

static int receive_side(struct collective *c, void *buffer, const int *counts, const int *displacements, MPI_Datatype type)
{
    c->uses_more = 1;
    c->receive = buffer;
    c->more.receive_counts = MPI_ADDRESS(counts);
    c->more.receive_displacements = MPI_ADDRESS(displacements);
    c->more.receive_unit = __mog_mpi_basic_size(type);
    return c->more.receive_unit ? MPI_SUCCESS : MPI_ERR_TYPE;
}

static int one_block_out(struct collective *c, const void *buffer, int count, MPI_Datatype type)
{
    const int code = __mog_mpi_collective_out(c, buffer, count, type);
    c->count = c->out.bytes;
    return code;
}

static int gatherv(const void *send, int send_count, MPI_Datatype send_type, void *receive, const int *counts, const int *displacements,
                   MPI_Datatype receive_type, int root, MPI_Comm comm, MPI_Request *request, const char *function)
{
    struct collective c;
    int code = __mog_mpi_collective(&c, MOG_MPI_gatherv, comm, root);
    const int is_root = code == MPI_SUCCESS && root == c.comm->rank;
    if (is_root)
        code = receive_side(&c, receive, counts, displacements, receive_type);
    if (code == MPI_SUCCESS && is_root && send == MPI_IN_PLACE) {
        c.send = (char *)receive + displacements[root] * (int)c.more.receive_unit;
        c.count = (unsigned)counts[root] * c.more.receive_unit;
    } else if (code == MPI_SUCCESS)
        code = one_block_out(&c, send, send_count, send_type);
    return __mog_mpi_collective_run(&c, code, request, function);
}

static int scatterv(const void *send, const int *counts, const int *displacements, MPI_Datatype send_type, void *receive, int receive_count,
                    MPI_Datatype receive_type, int root, MPI_Comm comm, MPI_Request *request, const char *function)
{
    struct collective c;
    int code = __mog_mpi_collective(&c, MOG_MPI_scatterv, comm, root);
    const int is_root = code == MPI_SUCCESS && root == c.comm->rank;
    if (is_root)
        code = send_side(&c, send, counts, displacements, send_type);
    if (code == MPI_SUCCESS && is_root && receive == MPI_IN_PLACE) {
        c.receive = (char *)send + displacements[root] * (int)c.more.send_unit;
        c.count = (unsigned)counts[root] * c.more.send_unit;
    } else if (code == MPI_SUCCESS) {
        code = __mog_mpi_collective_in(&c, receive, receive_count, receive_type);
        c.count = c.in.bytes;
    }
    return __mog_mpi_collective_run(&c, code, request, function);
}

static int allgatherv(const void *send, int send_count, MPI_Datatype send_type, void *receive, const int *counts, const int *displacements,
                      MPI_Datatype receive_type, MPI_Comm comm, MPI_Request *request, const char *function)
{
    struct collective c;
    int code = __mog_mpi_collective(&c, MOG_MPI_allgatherv, comm, 0);
    if (code == MPI_SUCCESS)
        code = receive_side(&c, receive, counts, displacements, receive_type);
    if (code == MPI_SUCCESS && send == MPI_IN_PLACE) {
        c.send = (char *)receive + displacements[c.comm->rank] * (int)c.more.receive_unit;
        c.count = (unsigned)counts[c.comm->rank] * c.more.receive_unit;
    } else if (code == MPI_SUCCESS)
        code = one_block_out(&c, send, send_count, send_type);
    return __mog_mpi_collective_run(&c, code, request, function);
}

/* In place: a copy of all blocks is sent. */
static int copy_blocks(struct collective *c, const int *counts, const int *displacements, int unit)
{
    int low = 0, high = 0;
    for (int i = 0; i < c->comm->size; i++) {
        const int begin = displacements[i] * unit, end = begin + counts[i] * unit;
        if (begin < low)
            low = begin;
        if (end > high)
            high = end;
    }
    char *copy = malloc((size_t)(high - low) + 1);
    if (!copy)
        return MPI_ERR_NO_MEM;
    c->out.packed = memcpy(copy, (char *)c->receive + low, (size_t)(high - low));
    c->send = copy - low;
    return MPI_SUCCESS;
}

static int alltoallv(const void *send, const int *send_counts, const int *send_displacements, MPI_Datatype send_type, void *receive,
                     const int *receive_counts, const int *receive_displacements, MPI_Datatype receive_type, MPI_Comm comm,
                     MPI_Request *request, const char *function)
{
    struct collective c;
    int code = __mog_mpi_collective(&c, MOG_MPI_alltoallv, comm, 0);
    if (code == MPI_SUCCESS)
        code = receive_side(&c, receive, receive_counts, receive_displacements, receive_type);
    if (code == MPI_SUCCESS && send == MPI_IN_PLACE) {
        code = send_side(&c, NULL, receive_counts, receive_displacements, receive_type);
        if (code == MPI_SUCCESS)
            code = copy_blocks(&c, receive_counts, receive_displacements, (int)c.more.receive_unit);
    } else if (code == MPI_SUCCESS)
        code = send_side(&c, send, send_counts, send_displacements, send_type);
    return __mog_mpi_collective_run(&c, code, request, function);
}

/* Counts in bytes, as displacements are. */
static int bytes_of(int n, const int *counts, const MPI_Datatype *types, int *bytes)
{
    for (int i = 0; i < n; i++) {
        const unsigned unit = __mog_mpi_basic_size(types[i]);
        if (!unit)
            return MPI_ERR_TYPE;
        bytes[i] = counts[i] * (int)unit;
    }
    return MPI_SUCCESS;
}

static int alltoallw(const void *send, const int *send_counts, const int *send_displacements, const MPI_Datatype *send_types, void *receive,
                     const int *receive_counts, const int *receive_displacements, const MPI_Datatype *receive_types, MPI_Comm comm,
                     MPI_Request *request, const char *function)
{
    struct collective c;
    int code = __mog_mpi_collective(&c, MOG_MPI_alltoallv, comm, 0);
    int *bytes = NULL;
    if (code == MPI_SUCCESS && !(bytes = malloc(2 * (size_t)c.comm->size * sizeof *bytes)))
        code = MPI_ERR_NO_MEM;
    if (code == MPI_SUCCESS)
        code = bytes_of(c.comm->size, receive_counts, receive_types, bytes);
    if (code == MPI_SUCCESS)
        code = receive_side(&c, receive, bytes, receive_displacements, MPI_BYTE);
    if (code == MPI_SUCCESS && send == MPI_IN_PLACE) {
        code = send_side(&c, NULL, bytes, receive_displacements, MPI_BYTE);
        if (code == MPI_SUCCESS)
            code = copy_blocks(&c, bytes, receive_displacements, 1);
    } else if (code == MPI_SUCCESS) {
        code = bytes_of(c.comm->size, send_counts, send_types, bytes + c.comm->size);
        if (code == MPI_SUCCESS)
            code = send_side(&c, send, bytes + c.comm->size, send_displacements, MPI_BYTE);
    }
    c.lists = bytes;
    return __mog_mpi_collective_run(&c, code, request, function);
}

/* ---- each of them at once, and with a request ---- */

#define GATHERV const void *send, int send_count, MPI_Datatype send_type, void *receive, const int *counts, const int *displacements, MPI_Datatype receive_type
#define GATHERV_GIVEN send, send_count, send_type, receive, counts, displacements, receive_type
MPI_DEFINE(Gatherv, GATHERV, int root, MPI_Comm comm) { return gatherv(GATHERV_GIVEN, root, comm, NULL, __func__ + 1); }
MPI_DEFINE(Igatherv, GATHERV, int root, MPI_Comm comm, MPI_Request *request) { return gatherv(GATHERV_GIVEN, root, comm, request, __func__ + 1); }
MPI_DEFINE(Allgatherv, GATHERV, MPI_Comm comm) { return allgatherv(GATHERV_GIVEN, comm, NULL, __func__ + 1); }
MPI_DEFINE(Iallgatherv, GATHERV, MPI_Comm comm, MPI_Request *request) { return allgatherv(GATHERV_GIVEN, comm, request, __func__ + 1); }

#define SCATTERV const void *send, const int *counts, const int *displacements, MPI_Datatype send_type, void *receive, int receive_count, MPI_Datatype receive_type, int root, MPI_Comm comm
#define SCATTERV_GIVEN send, counts, displacements, send_type, receive, receive_count, receive_type, root, comm
MPI_DEFINE(Scatterv, SCATTERV) { return scatterv(SCATTERV_GIVEN, NULL, __func__ + 1); }
MPI_DEFINE(Iscatterv, SCATTERV, MPI_Request *request) { return scatterv(SCATTERV_GIVEN, request, __func__ + 1); }

#define ALLTOALL(of_type, name) \
    const void *send, const int *send_counts, const int *send_displacements, of_type send_##name, void *receive, \
        const int *receive_counts, const int *receive_displacements, of_type receive_##name, MPI_Comm comm
#define ALLTOALL_GIVEN(name) \
    send, send_counts, send_displacements, send_##name, receive, receive_counts, receive_displacements, receive_##name, comm
MPI_DEFINE(Alltoallv, ALLTOALL(MPI_Datatype, type)) { return alltoallv(ALLTOALL_GIVEN(type), NULL, __func__ + 1); }
MPI_DEFINE(Ialltoallv, ALLTOALL(MPI_Datatype, type), MPI_Request *request) { return alltoallv(ALLTOALL_GIVEN(type), request, __func__ + 1); }
MPI_DEFINE(Alltoallw, ALLTOALL(const MPI_Datatype *, types)) { return alltoallw(ALLTOALL_GIVEN(types), NULL, __func__ + 1); }
MPI_DEFINE(Ialltoallw, ALLTOALL(const MPI_Datatype *, types), MPI_Request *request) { return alltoallw(ALLTOALL_GIVEN(types), request, __func__ + 1); }
