/* ring.c: a number goes round all ranks, each adding its own, some laps.
 *
 *     mogmpicc ring.c -o ring && mogrun -n 64 ./ring 3
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int laps = argc > 1 ? atoi(argv[1]) : 3;
    const int next = (rank + 1) % size, before = (rank + size - 1) % size;

    long long sum = 0;
    for (int lap = 0; lap < laps; lap++) {
        /* Rank 0 begins a lap, and ends it. */
        if (rank == 0) {
            MPI_Request sent;
            MPI_Isend(&sum, 1, MPI_LONG_LONG, next, lap, MPI_COMM_WORLD, &sent);
            long long back;
            MPI_Recv(&back, 1, MPI_LONG_LONG, before, lap, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Wait(&sent, MPI_STATUS_IGNORE);
            sum = back;
        } else {
            MPI_Recv(&sum, 1, MPI_LONG_LONG, before, lap, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            sum += rank;
            MPI_Send(&sum, 1, MPI_LONG_LONG, next, lap, MPI_COMM_WORLD);
        }
    }

    if (rank == 0) {
        const long long expected = (long long)laps * size * (size - 1) / 2;
        printf("%d laps: %s\n", laps, sum == expected ? "every rank was there" : "somebody was left out");
    }
    MPI_Finalize();
    return 0;
}
