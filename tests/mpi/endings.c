/* Runs that do not end well, by the argument. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size;
static void wait_for_left(void)
{
    int x;
    MPI_Recv(&x, 1, MPI_INT, (rank + size - 1) % size, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "early"))
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const char *way = argc > 1 ? argv[1] : "";
    static char big[10000];
    MPI_Request r[2];
    int x, y;
    if (!strcmp(way, "ring")) wait_for_left();
    if (!strcmp(way, "send")) MPI_Send(big, 10000, MPI_CHAR, (rank + 1) % size, 1, MPI_COMM_WORLD);
    if (!strcmp(way, "taken")) {
        MPI_Message message;
        if (rank == 0) MPI_Ssend(big, 10000, MPI_CHAR, 1, 1, MPI_COMM_WORLD);
        if (rank == 1) MPI_Mprobe(0, 1, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
        wait_for_left();
    }
    if (!strcmp(way, "barrier") && rank != 2) MPI_Barrier(MPI_COMM_WORLD);
    if (!strcmp(way, "wait")) {
        MPI_Irecv(&x, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, r);
        MPI_Wait(r, MPI_STATUS_IGNORE);
    }
    if (!strcmp(way, "exit") && rank == 1) exit(3);
    if (!strcmp(way, "exit")) MPI_Recv(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (!strcmp(way, "fault") && rank == 1) *(volatile int *)0 = 1;
    if (!strcmp(way, "fault")) MPI_Allreduce(&rank, &y, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (!strcmp(way, "abort") && rank == 3) MPI_Abort(MPI_COMM_WORLD, 42);
    if (!strcmp(way, "abort")) wait_for_left();
    if (!strcmp(way, "fatal") && rank == 3) MPI_Send(big, 1, MPI_INT, 99, 0, MPI_COMM_WORLD);
    if (!strcmp(way, "fatal")) wait_for_left();
    if (!strcmp(way, "roots")) MPI_Bcast(&x, 1, MPI_INT, rank == 2, MPI_COMM_WORLD);
    if (!strcmp(way, "counts")) MPI_Allreduce(big, big + 100, rank == 2 ? 3 : 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (!strcmp(way, "kinds")) { if (rank == 2) MPI_Barrier(MPI_COMM_WORLD); else MPI_Bcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD); }
    if (!strcmp(way, "leave")) {
        MPI_Send(&rank, 1, MPI_INT, (rank + 1) % size, 9, MPI_COMM_WORLD);
        MPI_Irecv(&x, 1, MPI_INT, 0, 10, MPI_COMM_WORLD, r);
    }
    if (!strcmp(way, "general") && rank == 3) {
        MPI_Grequest_start(NULL, NULL, NULL, NULL, r);
        MPI_Irecv(&x, 1, MPI_INT, 3, 0, MPI_COMM_WORLD, r + 1);
        MPI_Send(&rank, 1, MPI_INT, 3, 0, MPI_COMM_WORLD);
        MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
