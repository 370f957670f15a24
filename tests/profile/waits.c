/* waits.c: rank 0 computes, and all others wait for its message in a receive. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

__attribute__((noipa)) static unsigned compute(unsigned n)
{
    unsigned x = n;
    for (unsigned i = 0; i < n; i++)
        x = x * 1664525u + 1013904223u;
    return x;
}

__attribute__((noipa)) static void wait_for_it(unsigned *x) { MPI_Recv(x, 1, MPI_UNSIGNED, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }

int main(int argc, char **argv)
{
    int rank, size;
    unsigned x = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        x = compute((unsigned)atoi(argv[1]));
        for (int to = 1; to < size; to++)
            MPI_Send(&x, 1, MPI_UNSIGNED, to, 1, MPI_COMM_WORLD);
    } else {
        wait_for_it(&x);
    }
    MPI_Finalize();
    return x == 42;
}
