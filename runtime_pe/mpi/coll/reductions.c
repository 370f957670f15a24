/* reductions.c: collectives that combine. */
#include "collectives.h"
#include "ops.h"

/* Of ops.c, in programs that make operations. */
#pragma weak __mog_mpi_own_reduction

/* In reductions of predefined operations types are basic, so buffers are as they are. */
static int reduction(unsigned operation, const void *send, void *receive, int count, int receives, MPI_Datatype type, MPI_Op op, int root,
                     MPI_Comm comm, const int *counts, MPI_Request *request, const char *function) {
    struct collective c;
    int code = __mog_mpi_collective(&c, operation, comm, root);
    if (code == MPI_SUCCESS && count < 0) code = MPI_ERR_COUNT;
    if (code == MPI_SUCCESS && c.comm->remote_size && (operation == MOG_MPI_scan || operation == MOG_MPI_exscan)) code = MPI_ERR_COMM;
    c.send = send == MPI_IN_PLACE ? receive : (void *)send;
    c.receive = receives ? receive : NULL;
    if (code == MPI_SUCCESS && !mpi_op_id(op) && __mog_mpi_own_reduction) {
        const struct mpi_reduction own = {operation, c.send, receive, count, counts, type, op, root, comm};
        code = __mog_mpi_own_reduction(&own, request);
        return code == MPI_SUCCESS ? code : __mog_mpi_failed(comm, code, function);
    }
    if (__mog_mpi_basic_of_selected) type = __mog_mpi_basic_of_selected(type);
    const int counts_here = code == MPI_SUCCESS && mpi_takes_part(&c);
    if (counts_here && !__mog_mpi_basic_size(type)) code = MPI_ERR_TYPE;
    if (code == MPI_SUCCESS && counts_here && !mpi_op_id(op)) code = MPI_ERR_OP;
    c.type = mpi_type_id(type);
    c.reduction = mpi_op_id(op);
    c.count = (unsigned)count;
    if (counts) {
        c.uses_more = 1;
        c.more.receive_counts = MPI_ADDRESS(counts);
    }
    return __mog_mpi_collective_run(&c, code, request, function);
}

static int is_root(int root, MPI_Comm comm) {
    const struct mpi_comm *c = __mog_mpi_comm(comm);
    return c && (c->remote_size ? root == MPI_ROOT : c->rank == root);
}

#define REDUCTION const void *send, void *receive, int count, MPI_Datatype type, MPI_Op op
#define MAKE_REDUCTION(name, begin_name, operation)                                                           \
    MPI_DEFINE(name, REDUCTION, MPI_Comm comm) {                                                              \
        return reduction(operation, send, receive, count, 1, type, op, 0, comm, NULL, NULL, __func__ + 1);    \
    }                                                                                                         \
    MPI_DEFINE(begin_name, REDUCTION, MPI_Comm comm, MPI_Request *request) {                                  \
        return reduction(operation, send, receive, count, 1, type, op, 0, comm, NULL, request, __func__ + 1); \
    }
MAKE_REDUCTION(Allreduce, Iallreduce, MOG_MPI_allreduce)
MAKE_REDUCTION(Scan, Iscan, MOG_MPI_scan)
MAKE_REDUCTION(Exscan, Iexscan, MOG_MPI_exscan)
MAKE_REDUCTION(Reduce_scatter_block, Ireduce_scatter_block, MOG_MPI_reduce_scatter_block)

#define SCATTERED const void *send, void *receive, const int *counts, MPI_Datatype type, MPI_Op op, MPI_Comm comm
MPI_DEFINE(Reduce_scatter, SCATTERED) {
    return reduction(MOG_MPI_reduce_scatter, send, receive, 0, 1, type, op, 0, comm, counts, NULL, __func__ + 1);
}
MPI_DEFINE(Ireduce_scatter, SCATTERED, MPI_Request *request) {
    return reduction(MOG_MPI_reduce_scatter, send, receive, 0, 1, type, op, 0, comm, counts, request, __func__ + 1);
}

MPI_DEFINE(Reduce, REDUCTION, int root, MPI_Comm comm) {
    return reduction(MOG_MPI_reduce, send, receive, count, is_root(root, comm), type, op, root, comm, NULL, NULL, __func__ + 1);
}
MPI_DEFINE(Ireduce, REDUCTION, int root, MPI_Comm comm, MPI_Request *request) {
    return reduction(MOG_MPI_reduce, send, receive, count, is_root(root, comm), type, op, root, comm, NULL, request, __func__ + 1);
}
