/* Each rank puts ROUNDS times 32 numbers of 8 bytes into the window of the rank half of all away; then it adds to one number there as often,
 * one after the other. The argument: `put` or `add`. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    enum { N = 32 };
    int rank, size;
    long long *own, one = 1, before, sum = 0;
    MPI_Win window;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int puts = argc > 1 && !strcmp(argv[1], "put"), rounds = argc > 2 ? atoi(argv[2]) : 1, other = (rank + size / 2) % size;
    MPI_Win_allocate(N * sizeof *own, sizeof *own, MPI_INFO_NULL, MPI_COMM_WORLD, &own, &window);
    memset(own, 0, N * sizeof *own);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, window);
    for (long long i = 1; i <= rounds; i++) {
        for (int k = 0; k < N && puts; k++)
            MPI_Put(&i, 1, MPI_LONG_LONG, other, k, 1, MPI_LONG_LONG, window);
        if (!puts)
            MPI_Fetch_and_op(&one, &before, MPI_LONG_LONG, other, 0, MPI_SUM, window);
        MPI_Win_flush(other, window);
    }
    MPI_Win_unlock_all(window);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Reduce(own, &sum, 1, MPI_LONG_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%lld\n", sum / size);
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
