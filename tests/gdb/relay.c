/* Two PEs and a message between them, for one that goes back while the other stays. */
#include <mpi.h>
#include <stdio.h>

static int got, told;

__attribute__((noinline)) static void take(int value)
{
    got = value;
    told++;
}

int main(int argc, char **argv)
{
    int rank, value = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int round = 0; round < 3; round++) {
        value = 10 * round + 5;
        if (rank == 0) MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        if (rank == 1) {
            value = -1;
            MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            take(value);
            printf("PE 1 got %d\n", value);
        }
    }
    MPI_Finalize();
    return got == 25 && told == 3 ? 0 : rank;
}
