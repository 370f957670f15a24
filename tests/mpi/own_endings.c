/* A reduction with a function of the program, about whose count the members do not agree, while they wait for something else. */
#include <mpi.h>

static void sum(void *in, void *inout, int *count, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *count; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

int main(int argc, char **argv)
{
    int rank, values[3] = {0}, sums[3];
    MPI_Op op;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Op_create(sum, 1, &op);
    if (rank == 1) /* later than others, who have gone on */
        MPI_Recv(values, 1, MPI_INT, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Iallreduce(values, sums, rank == 1 ? 3 : 2, MPI_INT, op, MPI_COMM_WORLD, &request);
    if (rank == 0)
        MPI_Send(values, 1, MPI_INT, 1, 6, MPI_COMM_WORLD);
    MPI_Recv(values, 1, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
