/* 8 bytes go around all ranks, as many times as the argument says: one message after the other. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int laps = argc > 1 ? atoi(argv[1]) : 10, next = (rank + 1) % size, before = (rank + size - 1) % size;
    double token = 0;
    for (int i = 0; i < laps; i++) {
        if (rank == 0) {
            MPI_Send(&token, 1, MPI_DOUBLE, next, 0, MPI_COMM_WORLD);
            MPI_Recv(&token, 1, MPI_DOUBLE, before, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            MPI_Recv(&token, 1, MPI_DOUBLE, before, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            token += 1;
            MPI_Send(&token, 1, MPI_DOUBLE, next, 0, MPI_COMM_WORLD);
        }
    }
    if (rank == 0)
        printf("%.0f\n", token);
    MPI_Finalize();
    return 0;
}
