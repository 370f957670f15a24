/* apart.c: constants that all PEs have once, and those who come to them from outside: messages, calls, gdb, cores, checkpoints.
 *
 * apart WHAT: ring (each sends a part of the table to the next, from where it stands), into (what may not be: receive, get and put into
 * the table), wait (and read on, when it was resumed), store (by a pointer), abort */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define X4(x) (x), (x) * 3 + 1, (x) * 5 + 2, (x) * 7 + 3
#define X16(x) X4(x), X4(x + 11), X4(x + 23), X4(x + 37)
#define X64(x) X16(x), X16(x + 101), X16(x + 211), X16(x + 307)
#define X256(x) X64(x), X64(x + 1009), X64(x + 2003), X64(x + 3001)
#define X1024(x) X256(x), X256(x + 10007), X256(x + 20011), X256(x + 30011)
#define X4096(x) X1024(x), X1024(x + 1000003), X1024(x + 2000003), X1024(x + 3000017)
static const unsigned table[20480] = {X4096(1u), X4096(77777u), X4096(99991u), X4096(5u), X4096(12345u)};

static unsigned sum_of(const unsigned *p, int n)
{
    unsigned sum = 0;
    for (int i = 0; i < n; i++) sum = sum * 31 + p[i];
    return sum;
}

int main(int argc, char **argv)
{
    int rank, size;
    unsigned got[64];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const unsigned *mine = table + rank * 37 % 20000;
    const int left = (rank + size - 1) % size;
    switch (argv[1][0]) {
    case 'r': {
        unsigned sum, all = 0;
        MPI_Sendrecv(mine, 64, MPI_UNSIGNED, (rank + 1) % size, 1, got, 64, MPI_UNSIGNED, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (memcmp(got, table + left * 37 % 20000, sizeof got) != 0) return 3;
        sum = sum_of(mine, 64);
        MPI_Reduce(&sum, &all, 1, MPI_UNSIGNED, MPI_SUM, 0, MPI_COMM_WORLD);
        if (rank == 0) printf("%08x of %d\n", all, size);
        break;
    }
    case 'i': {
        MPI_Win window;
        unsigned zero = 0, one = 0;
        void *const of_all = (void *)table;
        int found = 0, worked = 0;
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
        found += MPI_Irecv(of_all, 4, MPI_UNSIGNED, left, 1, MPI_COMM_WORLD, &(MPI_Request){0}) == MPI_ERR_BUFFER;
        found += MPI_Bcast(rank == 0 ? got : of_all, 4, MPI_UNSIGNED, 0, MPI_COMM_WORLD) != MPI_SUCCESS;
        found += MPI_Allreduce(got, of_all, 4, MPI_UNSIGNED, MPI_SUM, MPI_COMM_WORLD) != MPI_SUCCESS;
        found += MPI_Allgather(got, 1, MPI_UNSIGNED, of_all, 1, MPI_UNSIGNED, MPI_COMM_WORLD) != MPI_SUCCESS;
        found += MPI_Scatter(got, 1, MPI_UNSIGNED, of_all, 1, MPI_UNSIGNED, 0, MPI_COMM_WORLD) != MPI_SUCCESS;
        MPI_Win_create(of_all, sizeof table, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
        MPI_Win_set_errhandler(window, MPI_ERRORS_RETURN);
        MPI_Win_lock_all(0, window);
        /* To look at a window of constants is right. */
        worked += MPI_Get(got, 1, MPI_UNSIGNED, left, rank, 1, MPI_UNSIGNED, window) == MPI_SUCCESS;
        worked += MPI_Fetch_and_op(&zero, &one, MPI_UNSIGNED, left, rank, MPI_NO_OP, window) == MPI_SUCCESS;
        MPI_Win_flush_all(window);
        worked += got[0] == table[rank] && one == table[rank];
        found += MPI_Put(got, 1, MPI_UNSIGNED, left, rank, 1, MPI_UNSIGNED, window) != MPI_SUCCESS || MPI_Win_flush(left, window) != MPI_SUCCESS;
        found += MPI_Get(of_all, 1, MPI_UNSIGNED, left, 1, 1, MPI_UNSIGNED, window) != MPI_SUCCESS || MPI_Win_flush(left, window) != MPI_SUCCESS;
        MPI_Win_unlock_all(window);
        MPI_Win_free(&window);
        printf("%d found, %d worked\n", found, worked);
        break;
    }
    case 'w':
        printf("%08x waits\n", sum_of(mine, 64));
        fflush(stdout);
        sleep(2);
        printf("%08x went on\n", sum_of(mine + 1, 64));
        break;
    case 's': *(volatile unsigned *)(table + rank + 20000) = 1; break;
    case 'a': if (sum_of(mine, 64) != 0) abort();
    }
    MPI_Finalize();
    return 0;
}
