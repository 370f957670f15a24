// PE 0 works until somebody from outside says that it is enough; the others wait for it.
#include <mpi.h>
#include <stdio.h>

volatile int enough;
volatile int rounds;

__attribute__((noinline)) static void tick(void)
{
    rounds++;
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        while (!enough) tick();
        puts("enough");
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 2) puts("all there");
    MPI_Finalize();
    return 0;
}
