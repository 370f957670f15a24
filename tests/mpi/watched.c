/* What --mpi-stats, --mpi-matrix, --mpi-trace, --mpi-check and --deterministic are shown with, by the argument. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int rank, size;

static void ring(int laps)
{
    double out = rank, in;
    MPI_Request requests[2];
    for (int lap = 0; lap < laps; lap++) {
        MPI_Irecv(&in, 1, MPI_DOUBLE, (rank + size - 1) % size, lap, MPI_COMM_WORLD, requests);
        MPI_Isend(&out, 1, MPI_DOUBLE, (rank + 1) % size, lap, MPI_COMM_WORLD, requests + 1);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        out = in;
    }
    MPI_Allreduce(&out, &in, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

/* Types that do not fit, a message and a receive that nobody wants, types that stay. */
static void leave(void)
{
    int one = 1, two;
    float f = 1;
    MPI_Request request;
    if (rank == 1)
        MPI_Send(&f, 1, MPI_FLOAT, 0, 1, MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Recv(&two, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&one, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Irecv(&two, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, &request);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Datatype pair, freed;
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_dup(pair, &freed);
    MPI_Type_free(&freed);
}

/* The order in which rank 0 hears from the others, who take more or less time. */
static void race(void)
{
    unsigned sum = 0;
    for (int turn = 0; turn < 20; turn++) {
        volatile unsigned x = 0;
        for (int i = 0; i < (rank * 7919 + turn * 104729) % 5000; i++)
            x += (unsigned)i;
        for (int i = 1; i < size && rank == 0; i++) {
            int who;
            MPI_Recv(&who, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            sum = sum * 31 + (unsigned)who;
        }
        if (rank != 0)
            MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("%08x\n", sum);
}

int main(int argc, char **argv)
{
    const char *way = argc > 1 ? argv[1] : "";
    if (!strcmp(way, "alone"))
        return 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (!strcmp(way, "ring"))
        ring(3);
    if (!strcmp(way, "leave"))
        leave();
    if (!strcmp(way, "race"))
        race();
    if (!strcmp(way, "stuck") && rank == 0)
        MPI_Recv(&size, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
