/* reduce_local.c: two buffers of one PE, combined. What the engine knows how to do, it does. */
#include "ops.h"

/* There is none without operations of the program. */
#pragma weak __mog_mpi_op

MPI_DEFINE(Op_commutative, MPI_Op op, int *commutes) {
    const struct mpi_op *own = __mog_mpi_op ? __mog_mpi_op(op) : NULL;
    if (!own && !mpi_op_id(op)) MPI_RETURN(MPI_COMM_WORLD, MPI_ERR_OP);
    *commutes = own ? own->commutes != 0 : op != MPI_REPLACE && op != MPI_NO_OP;
    return MPI_SUCCESS;
}

MPI_DEFINE(Reduce_local, const void *in, void *inout, int count, MPI_Datatype type, MPI_Op op) {
    const struct mpi_op *own = __mog_mpi_op ? __mog_mpi_op(op) : NULL;
    struct mpi_measure m;
    int code = count < 0 ? MPI_ERR_COUNT : __mog_mpi_measure(&m, type);
    if (code == MPI_SUCCESS && !own && !mpi_op_id(op)) code = MPI_ERR_OP;
    if (code == MPI_SUCCESS && own) own->function((void *)in, inout, &count, &type);
    else if (code == MPI_SUCCESS)
        code = -(int)__mog_mpi(MOG_MPI_WORD(MOG_MPI_combine, 0, mpi_type_id(type), mpi_op_id(op)), 0, 0, 0, MPI_ADDRESS(in),
                               MPI_ADDRESS(inout), (unsigned)count, 0);
    MPI_RETURN(MPI_COMM_WORLD, code);
}
