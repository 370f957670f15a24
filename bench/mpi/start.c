/* What a program takes that does nothing: subtracted from those that do something. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        printf("started\n");
    MPI_Finalize();
    return 0;
}
