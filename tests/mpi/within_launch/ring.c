/* A token that goes round, and what each rank has told its neighbours meanwhile. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size, token = 0, heard[2];
    MPI_Request requests[4];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int right = (rank + 1) % size, left = (rank + size - 1) % size;
    for (int lap = 0; lap < 10; lap++) {
        if (rank == 0)
            MPI_Send(&token, 1, MPI_INT, right, 0, MPI_COMM_WORLD);
        MPI_Recv(&token, 1, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        token++;
        if (rank != 0)
            MPI_Send(&token, 1, MPI_INT, right, 0, MPI_COMM_WORLD);
        MPI_Irecv(&heard[0], 1, MPI_INT, left, 1, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(&heard[1], 1, MPI_INT, right, 1, MPI_COMM_WORLD, &requests[1]);
        MPI_Isend(&lap, 1, MPI_INT, left, 1, MPI_COMM_WORLD, &requests[2]);
        MPI_Isend(&lap, 1, MPI_INT, right, 1, MPI_COMM_WORLD, &requests[3]);
        MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
        if (heard[0] != lap || heard[1] != lap)
            printf("rank %d heard %d and %d in lap %d\n", rank, heard[0], heard[1], lap);
    }
    if (rank == 0)
        printf("token %d\n", token);
    MPI_Finalize();
    return 0;
}
