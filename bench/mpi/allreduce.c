/* Three allreduces, one after the other. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double value = rank, sum = 0;
    for (int i = 0; i < 3; i++) {
        MPI_Allreduce(&value, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        value = sum / size;
    }
    if (rank == 0)
        printf("%.17g\n", sum);
    MPI_Finalize();
    return 0;
}
