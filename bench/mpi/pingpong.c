/* Messages of BYTES back and forth between ranks 2k and 2k + 1, ROUNDS times: all pairs at once. With a third argument between ranks k and
 * k + size / 2, which two processes do not have together. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int bytes = argc > 1 ? atoi(argv[1]) : 8, rounds = argc > 2 ? atoi(argv[2]) : 10;
    const int half = size / 2, is_first = argc > 3 ? rank < half : rank % 2 == 0, other = argc > 3 ? (rank + half) % size : rank ^ 1;
    char *buffer = calloc(1, (size_t)bytes);
    for (int i = 0; i < rounds && other < size; i++) {
        if (is_first) {
            MPI_Send(buffer, bytes, MPI_CHAR, other, 0, MPI_COMM_WORLD);
            MPI_Recv(buffer, bytes, MPI_CHAR, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            MPI_Recv(buffer, bytes, MPI_CHAR, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            buffer[0]++;
            MPI_Send(buffer, bytes, MPI_CHAR, other, 0, MPI_COMM_WORLD);
        }
    }
    if (rank == 0)
        printf("%d\n", buffer[0]);
    MPI_Finalize();
    return 0;
}
