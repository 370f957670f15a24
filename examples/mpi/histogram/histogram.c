/* histogram: how often each value comes among many. The counts lie all over the ranks; whoever meets a value adds one to its count, at
 * whichever rank that is, without the other's help: one-sided communication.
 *
 *     mogmpicc -O2 histogram.c -o histogram && mogrun -n 1024 ./histogram 1048576
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { values = 4096 };

/* The i-th value: the sum of four dice, so those in the middle come more often. */
static int value_of(unsigned i)
{
    int sum = 0;
    for (unsigned die = 0; die < 4; die++) {
        unsigned x = (i * 4 + die) * 2654435761u + 12345;
        x = (x ^ x >> 16) * 0x7feb352du;
        x = (x ^ x >> 15) * 0x846ca68bu;
        sum += (int)((x ^ x >> 16) % (values / 4));
    }
    return sum;
}

int main(int argc, char **argv)
{
    int rank, size, *counts;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const long total = argc > 1 ? atol(argv[1]) : 65536;

    /* Rank r has the counts of values r * here and on. */
    const int here = (values + size - 1) / size;
    MPI_Win window;
    MPI_Win_allocate((MPI_Aint)(here * sizeof *counts), sizeof *counts, MPI_INFO_NULL, MPI_COMM_WORLD, &counts, &window);
    for (int i = 0; i < here; i++)
        counts[i] = 0;
    MPI_Win_fence(0, window);
    const int one = 1;
    for (long i = total * rank / size; i < total * (rank + 1) / size; i++) {
        const int value = value_of((unsigned)i);
        MPI_Accumulate(&one, 1, MPI_INT, value / here, value % here, 1, MPI_INT, MPI_SUM, window);
    }
    MPI_Win_fence(0, window);

    long sum = 0, all;
    struct {
        int count, value;
    } own = {0, 0}, most;
    for (int i = 0; i < here; i++) {
        sum += counts[i];
        if (counts[i] > own.count) {
            own.count = counts[i];
            own.value = rank * here + i;
        }
    }
    MPI_Reduce(&sum, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(&own, &most, 1, MPI_2INT, MPI_MAXLOC, 0, MPI_COMM_WORLD);

    /* Rank 0 looks at some counts itself, wherever they are. */
    int some[4] = {0, 0, 0, 0};
    if (rank == 0) {
        MPI_Win_lock_all(0, window);
        for (int i = 0; i < 4; i++) {
            const int value = values * (i + 1) / 5;
            MPI_Get(some + i, 1, MPI_INT, value / here, value % here, 1, MPI_INT, window);
        }
        MPI_Win_unlock_all(window);
        printf("%ld values counted; most often, %d times, came %d; of those at each fifth: %d %d %d %d\n", all, most.count, most.value, some[0], some[1],
               some[2], some[3]);
    }
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
