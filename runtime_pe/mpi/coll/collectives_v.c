/* collectives_v.c: collectives whose blocks differ in size. */
#include "sides.h"

static int one_block_out(struct collective *c, const void *buffer, int count, MPI_Datatype type) {
    const int code = __mog_mpi_collective_out(c, buffer, count, type);
    c->count = c->out.bytes;
    return code;
}

static int one_block_in(struct collective *c, void *buffer, int count, MPI_Datatype type) {
    const int code = __mog_mpi_collective_in(c, buffer, count, type);
    c->count = c->in.bytes;
    return code;
}

/* In place: the own block of a side whose type has been checked. */
static void *own_block(const struct collective *c, const struct mpi_side *side) {
    struct mpi_measure m;
    __mog_mpi_measure(&m, side->type);
    return __mog_mpi_place(side, c->comm->rank, &m);
}

static int gatherv(const void *send, int send_count, MPI_Datatype send_type, void *receive, const int *counts, const int *displacements,
                   MPI_Datatype receive_type, int root, MPI_Comm comm, MPI_Request *request, const char *function) {
    struct collective c;
    const struct mpi_side side = {receive, counts, displacements, receive_type, NULL};
    int code = __mog_mpi_collective(&c, MOG_MPI_gatherv, comm, root);
    const int is_root = code == MPI_SUCCESS && mpi_is_root(&c);
    if (is_root) code = __mog_mpi_receive_side(&c, &side);
    if (code == MPI_SUCCESS && mpi_takes_part(&c) && !(is_root && c.comm->remote_size))
        code = is_root && send == MPI_IN_PLACE ? one_block_out(&c, own_block(&c, &side), counts[root], receive_type)
                                               : one_block_out(&c, send, send_count, send_type);
    return __mog_mpi_collective_run(&c, code, request, function);
}

static int scatterv(const void *send, const int *counts, const int *displacements, MPI_Datatype send_type, void *receive, int receive_count,
                    MPI_Datatype receive_type, int root, MPI_Comm comm, MPI_Request *request, const char *function) {
    struct collective c;
    const struct mpi_side side = {(char *)send, counts, displacements, send_type, NULL};
    int code = __mog_mpi_collective(&c, MOG_MPI_scatterv, comm, root);
    const int is_root = code == MPI_SUCCESS && mpi_is_root(&c);
    if (is_root) code = __mog_mpi_send_side(&c, &side, 0);
    if (code == MPI_SUCCESS && mpi_takes_part(&c) && !(is_root && c.comm->remote_size))
        code = is_root && receive == MPI_IN_PLACE ? one_block_in(&c, own_block(&c, &side), counts[root], send_type)
                                                  : one_block_in(&c, receive, receive_count, receive_type);
    return __mog_mpi_collective_run(&c, code, request, function);
}

static int allgatherv(const void *send, int send_count, MPI_Datatype send_type, void *receive, const int *counts, const int *displacements,
                      MPI_Datatype receive_type, MPI_Comm comm, MPI_Request *request, const char *function) {
    struct collective c;
    const struct mpi_side side = {receive, counts, displacements, receive_type, NULL};
    int code = __mog_mpi_collective(&c, MOG_MPI_allgatherv, comm, 0);
    if (code == MPI_SUCCESS) code = __mog_mpi_receive_side(&c, &side);
    if (code == MPI_SUCCESS)
        code = send == MPI_IN_PLACE && !c.comm->remote_size ? one_block_out(&c, own_block(&c, &side), counts[c.comm->rank], receive_type)
                                                            : one_block_out(&c, send, send_count, send_type);
    return __mog_mpi_collective_run(&c, code, request, function);
}

/* In place, what is received is what is sent, too. */
static int alltoall(const struct mpi_side *out, const struct mpi_side *in, MPI_Comm comm, MPI_Request *request, const char *function) {
    struct collective c;
    const int in_place = out->buffer == MPI_IN_PLACE;
    int code = __mog_mpi_collective(&c, MOG_MPI_alltoallv, comm, 0);
    if (code == MPI_SUCCESS) code = __mog_mpi_receive_side(&c, in);
    if (code == MPI_SUCCESS) code = __mog_mpi_send_side(&c, in_place ? in : out, in_place);
    return __mog_mpi_collective_run(&c, code, request, function);
}

/* ---- each of them at once, and with a request ---- */

#define GATHERV                                                                                                           \
    const void *send, int send_count, MPI_Datatype send_type, void *receive, const int *counts, const int *displacements, \
        MPI_Datatype receive_type
#define GATHERV_GIVEN send, send_count, send_type, receive, counts, displacements, receive_type
MPI_DEFINE(Gatherv, GATHERV, int root, MPI_Comm comm) { return gatherv(GATHERV_GIVEN, root, comm, NULL, __func__ + 1); }
MPI_DEFINE(Igatherv, GATHERV, int root, MPI_Comm comm, MPI_Request *request) {
    return gatherv(GATHERV_GIVEN, root, comm, request, __func__ + 1);
}
MPI_DEFINE(Allgatherv, GATHERV, MPI_Comm comm) { return allgatherv(GATHERV_GIVEN, comm, NULL, __func__ + 1); }
MPI_DEFINE(Iallgatherv, GATHERV, MPI_Comm comm, MPI_Request *request) { return allgatherv(GATHERV_GIVEN, comm, request, __func__ + 1); }

#define SCATTERV                                                                                                             \
    const void *send, const int *counts, const int *displacements, MPI_Datatype send_type, void *receive, int receive_count, \
        MPI_Datatype receive_type, int root, MPI_Comm comm
#define SCATTERV_GIVEN send, counts, displacements, send_type, receive, receive_count, receive_type, root, comm
MPI_DEFINE(Scatterv, SCATTERV) { return scatterv(SCATTERV_GIVEN, NULL, __func__ + 1); }
MPI_DEFINE(Iscatterv, SCATTERV, MPI_Request *request) { return scatterv(SCATTERV_GIVEN, request, __func__ + 1); }

#define ALLTOALL(of_type, name)                                                                                  \
    const void *send, const int *send_counts, const int *send_displacements, of_type send_##name, void *receive, \
        const int *receive_counts, const int *receive_displacements, of_type receive_##name, MPI_Comm comm
#define SIDES(send_type, send_types, receive_type, receive_types)                                                  \
    &(struct mpi_side){(char *)send, send_counts, send_displacements, send_type, send_types}, &(struct mpi_side) { \
        receive, receive_counts, receive_displacements, receive_type, receive_types                                \
    }
MPI_DEFINE(Alltoallv, ALLTOALL(MPI_Datatype, type)) {
    return alltoall(SIDES(send_type, NULL, receive_type, NULL), comm, NULL, __func__ + 1);
}
MPI_DEFINE(Ialltoallv, ALLTOALL(MPI_Datatype, type), MPI_Request *request) {
    return alltoall(SIDES(send_type, NULL, receive_type, NULL), comm, request, __func__ + 1);
}
MPI_DEFINE(Alltoallw, ALLTOALL(const MPI_Datatype *, types)) {
    return alltoall(SIDES(0, send_types, 0, receive_types), comm, NULL, __func__ + 1);
}
MPI_DEFINE(Ialltoallw, ALLTOALL(const MPI_Datatype *, types), MPI_Request *request) {
    return alltoall(SIDES(0, send_types, 0, receive_types), comm, request, __func__ + 1);
}
