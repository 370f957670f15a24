/* ops.c: operations of the program. */
#include <stdlib.h>

#include "ops.h"
#include "schedule.h"

enum { FIRST_OP = (int)0x98000000 };
static struct mpi_op *ops;
static int op_count;

const struct mpi_op *__mog_mpi_op(MPI_Op op) {
    const unsigned i = (unsigned)op - (unsigned)FIRST_OP;
    return i < (unsigned)op_count && ops[i].function ? ops + i : NULL;
}

MPI_DEFINE(Op_create, MPI_User_function *function, int commutes, MPI_Op *op) {
    int i = 0;
    if (!function || !op) MPI_RETURN(MPI_COMM_WORLD, MPI_ERR_ARG);
    while (i < op_count && ops[i].function) i++;
    if (i == op_count) {
        struct mpi_op *more = realloc(ops, (size_t)(op_count + 1) * sizeof *ops);
        if (!more) MPI_RETURN(MPI_COMM_WORLD, MPI_ERR_NO_MEM);
        ops = more;
        op_count++;
    }
    ops[i] = (struct mpi_op){function, commutes};
    *op = FIRST_OP + i;
    return MPI_SUCCESS;
}

/* Reductions that are under way have the function's address. */
MPI_DEFINE(Op_free, MPI_Op *op) {
    if (!op || !__mog_mpi_op(*op)) MPI_RETURN(MPI_COMM_WORLD, MPI_ERR_OP);
    ops[*op - FIRST_OP].function = NULL;
    *op = MPI_OP_NULL;
    return MPI_SUCCESS;
}

int __mog_mpi_own_reduction(const struct mpi_reduction *r, MPI_Request *request) {
    const struct mpi_op *op = __mog_mpi_op(r->op);
    struct mpi_measure m;
    if (!op) return MPI_ERR_OP;
    if (__mog_mpi_measure(&m, r->type) != MPI_SUCCESS || !m.is_ready) return MPI_ERR_TYPE;
    return __mog_mpi_run_schedule(r, op->function, request);
}
