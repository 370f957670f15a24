/* pending.c: everything that MPI can have under way is under way for many launches: messages that nobody has received yet, short ones and
 * long ones, receives that wait, a message that a probe has taken, collectives to which some have come, locks of a window that are held and
 * waited for, a shared pointer of a file, communicators that some have freed. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size;

static void work(int times) {
    volatile unsigned x = 1;
    for (int i = 0; i < 800 * times; i++) x = x * 5 + i;
}

static long sum_of(const int *numbers, int count) {
    long sum = 0;
    for (int i = 0; i < count; i++) sum = sum * 31 + numbers[i];
    return sum;
}

int main(int argc, char **argv) {
    enum { small = 20, large = 3000 };
    static int out[4][large], in[4][large], got[8], window_memory[16];
    MPI_Request requests[12];
    MPI_Status status;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int next = (rank + 1) % size, last = (rank + size - 1) % size;
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < large; i++) out[k][i] = i * (k + 1) + rank;

    MPI_Comm half, twin;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
    MPI_Comm_dup(half, &twin);
    if (rank % 3 == 0) MPI_Comm_free(&twin);

    /* Messages: eager, long, synchronous, in another communicator; and receives that nothing fits yet. */
    MPI_Irecv(in[3], small, MPI_INT, last, 99, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&got[0], 1, MPI_INT, MPI_ANY_SOURCE, 98, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(out[0], small, MPI_INT, next, 1, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(out[1], large, MPI_INT, next, 2, MPI_COMM_WORLD, &requests[3]);
    MPI_Issend(out[2], small, MPI_INT, next, 3, MPI_COMM_WORLD, &requests[4]);
    int me_of_half, half_size;
    MPI_Comm_rank(half, &me_of_half);
    MPI_Comm_size(half, &half_size);
    MPI_Send(&rank, 1, MPI_INT, (me_of_half + 1) % half_size, 4, half);
    for (int i = 0; i < 100; i++) MPI_Send(&i, 1, MPI_INT, next, 1000 + i, MPI_COMM_WORLD);
    work(4 + rank);

    /* Collectives: the higher its rank, the later somebody comes. */
    int total = -1, squares[2] = {rank, rank * rank}, summed[2] = {0, 0};
    MPI_Iallreduce(squares, summed, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[5]);
    work(3 * rank);
    MPI_Ibcast(&total, 1, MPI_INT, 1, MPI_COMM_WORLD, &requests[6]);
    if (rank == 1) work(2);
    MPI_Ibarrier(half, &requests[7]);
    printf("rank %d: collectives are begun\n", rank);
    fflush(stdout);
    work(6);

    /* What was sent long ago. */
    MPI_Message message;
    MPI_Mprobe(last, 1, MPI_COMM_WORLD, &message, &status);
    work(3);
    for (int i = 99; i >= 0; i--) {
        int number;
        MPI_Recv(&number, 1, MPI_INT, last, 1000 + i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (number != i) printf("rank %d: message %d is %d\n", rank, i, number);
    }
    MPI_Mrecv(in[0], large, MPI_INT, &message, &status);
    int count;
    MPI_Get_count(&status, MPI_INT, &count);
    printf("rank %d: matched %d, %ld\n", rank, count, sum_of(in[0], count));
    MPI_Recv(in[1], large, MPI_INT, last, 2, MPI_COMM_WORLD, &status);
    work(2);
    MPI_Recv(in[2], large, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &status);
    MPI_Recv(&got[1], 1, MPI_INT, MPI_ANY_SOURCE, 4, half, &status);
    printf("rank %d: long %ld, synchronous %ld from %d\n", rank, sum_of(in[1], large), sum_of(in[2], small), last);
    MPI_Send(out[3], small, MPI_INT, next, 99, MPI_COMM_WORLD);
    MPI_Send(&rank, 1, MPI_INT, next, 98, MPI_COMM_WORLD);
    MPI_Waitall(8, requests, MPI_STATUSES_IGNORE);
    printf("rank %d: sums %d %d, received %ld, from the half %d\n", rank, summed[0], summed[1], sum_of(in[3], small), got[1]);

    /* What a probe has taken, and its sender waits for. */
    if (rank % 2 == 0 && rank + 1 < size) MPI_Ssend(out[0], small, MPI_INT, rank + 1, 5, MPI_COMM_WORLD);
    if (rank % 2 == 1) {
        MPI_Mprobe(rank - 1, 5, MPI_COMM_WORLD, &message, &status);
        work(60);
        MPI_Mrecv(in[0], small, MPI_INT, &message, &status);
        printf("rank %d: taken and received %ld\n", rank, sum_of(in[0], small));
    }

    /* One-sided: who comes late to the lock waits long for it. */
    MPI_Win window;
    MPI_Win_create(window_memory, sizeof window_memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    for (int round = 0; round < 2; round++) {
        int one = 1, before = -1;
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
        MPI_Fetch_and_op(&one, &before, MPI_INT, 0, 0, MPI_SUM, window);
        MPI_Win_flush(0, window);
        work(4);
        MPI_Put(&rank, 1, MPI_INT, 0, 1 + before % 12, 1, MPI_INT, window);
        MPI_Win_unlock(0, window);
        work(1);
        MPI_Win_lock_all(0, window);
        MPI_Accumulate(&rank, 1, MPI_INT, next, 14, 1, MPI_INT, MPI_SUM, window);
        work(2);
        MPI_Win_unlock_all(window);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_fence(0, window);
    if (rank == 0)
        for (int i = 0; i < 13; i++) printf("window[%d] = %d\n", i, window_memory[i]);
    printf("rank %d: accumulated %d\n", rank, window_memory[14]);
    MPI_Win_free(&window);

    /* A file with a pointer that all share. */
    MPI_File file;
    char line[64];
    MPI_File_open(MPI_COMM_WORLD, "shared", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    for (int i = 0; i < 3; i++) {
        sprintf(line, "rank %d line %d\n", rank, i);
        MPI_File_write_ordered(file, line, strlen(line), MPI_CHAR, &status);
        work(1 + rank);
        MPI_File_write_at(file, 1000 + 20 * (3 * rank + i), line, strlen(line), MPI_CHAR, &status);
    }
    MPI_Offset at;
    MPI_File_get_position_shared(file, &at);
    printf("rank %d: the shared pointer is at %d\n", rank, (int)at);
    MPI_File_close(&file);

    /* Groups that find each other late, and a communicator that the others free now. */
    MPI_Comm inter, merged, everyone;
    if (rank % 2) work(5);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank % 2 ? size - 2 + size % 2 : size - 1 - size % 2, 5, &inter);
    MPI_Intercomm_merge(inter, rank % 2, &merged);
    MPI_Comm_rank(merged, &count);
    MPI_Group all;
    MPI_Comm_group(merged, &all);
    work(rank);
    MPI_Comm_create_group(merged, all, 6, &everyone);
    MPI_Allreduce(&count, &total, 1, MPI_INT, MPI_MAX, everyone);
    printf("rank %d is %d in the merged one, the last is %d\n", rank, count, total);
    MPI_Group_free(&all);
    MPI_Comm_free(&everyone);
    MPI_Comm_free(&merged);
    MPI_Comm_free(&inter);
    if (rank % 3) MPI_Comm_free(&twin);
    work(rank);
    MPI_Comm_free(&half);
    if (rank == 0) work(10);
    MPI_Finalize();
    printf("rank %d is done\n", rank);
    return 0;
}
