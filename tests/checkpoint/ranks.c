/* ranks.c: rounds with messages that nobody has received yet, receives that nothing has come for, collectives that rank 0 is missing in, a
 * window and communicators. Rank 0 waits at a gate in each round until there is a file go.R. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define ROUNDS 6
#define WORDS 3000 /* more than may be sent before somebody receives, with what others send */

int main(int argc, char **argv) {
    static int out[2][WORDS], in[2][WORDS];
    int rank, size, gates = argc > 1 ? atoi(argv[1]) : 0, *shared, in_half;
    MPI_Comm twin, half;
    MPI_Win window;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_dup(MPI_COMM_WORLD, &twin);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
    MPI_Comm_rank(half, &in_half);
    MPI_Win_allocate(size * sizeof *shared, sizeof *shared, MPI_INFO_NULL, twin, &shared, &window);
    int right = (rank + 1) % size, left = (rank + size - 1) % size, sum = 0, of_half = 0;
    for (int i = 0; i < size; i++) shared[i] = 0;
    for (int round = 0; round < ROUNDS; round++) {
        MPI_Request requests[5];
        MPI_Status status;
        MPI_Win_fence(0, window);
        for (int i = 0; i < WORDS; i++) out[0][i] = rank * 1000 + round + i, out[1][i] = out[0][i] * 3;
        MPI_Irecv(in[0], WORDS, MPI_INT, left, round, twin, &requests[0]);     /* comes after the gate, from rank 0 */
        MPI_Isend(out[1], WORDS, MPI_INT, left, 100 + round, MPI_COMM_WORLD, &requests[1]); /* long: waits for its receive */
        MPI_Send(out[0], 50, MPI_INT, right, 200 + round, MPI_COMM_WORLD);     /* short: nobody has received it */
        MPI_Put(&rank, 1, MPI_INT, right, round % size, 1, MPI_INT, window);
        MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, twin, &requests[2]);
        if (rank != 0 || !gates) MPI_Ibarrier(MPI_COMM_WORLD, &requests[3]);
        if (rank == 0) {
            printf("rank 0 at the gate of round %d\n", round);
            fflush(stdout);
            char name[20];
            for (sprintf(name, "go.%d", round); gates && access(name, F_OK) != 0;) usleep(1000);
            if (gates) MPI_Ibarrier(MPI_COMM_WORLD, &requests[3]);
        }
        MPI_Allreduce(&in_half, &of_half, 1, MPI_INT, MPI_MAX, half);
        MPI_Isend(out[0], WORDS, MPI_INT, right, round, twin, &requests[4]);
        MPI_Bcast(out[1], 1, MPI_INT, 0, MPI_COMM_WORLD); /* where all but rank 0 wait */
        int n, first;
        MPI_Probe(MPI_ANY_SOURCE, 200 + round, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_INT, &n);
        MPI_Recv(in[1], WORDS, MPI_INT, status.MPI_SOURCE, 200 + round, MPI_COMM_WORLD, &status);
        first = in[1][n - 1];
        MPI_Recv(in[1], WORDS, MPI_INT, right, 100 + round, MPI_COMM_WORLD, &status);
        MPI_Waitall(5, requests, MPI_STATUSES_IGNORE);
        MPI_Win_fence(0, window);
        printf("rank %d, round %d: %d words, the last %d; %d %d; sum %d, of half %d, window %d\n", rank, round, n, first, in[0][WORDS - 1],
               in[1][WORDS - 1], sum, of_half, shared[round % size]);
    }
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
