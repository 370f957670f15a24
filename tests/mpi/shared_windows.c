/* Windows in memory that ranks share: parts by size, accessed by loads and stores, atomically, by messages and by puts. */
#include <sched.h>

#include "check.h"

static MPI_Comm node;
static int me, ranks;

/* Each rank has as many words as its number says, and one more; they stand one behind the other. */
static void parts(void)
{
    MPI_Win window;
    int *own, *seen, unit;
    MPI_Aint bytes;
    MPI_Win_allocate_shared((me + 1) * (MPI_Aint)sizeof(int), sizeof(int), MPI_INFO_NULL, node, &own, &window);
    for (int i = 0; i <= me; i++)
        own[i] = 1000 * me + i;
    MPI_Win_fence(0, window);
    for (int rank_of = 0; rank_of < ranks; rank_of++) {
        MPI_Win_shared_query(window, rank_of, &bytes, &unit, &seen);
        CHECK(bytes == (rank_of + 1) * (MPI_Aint)sizeof(int) && unit == sizeof(int));
        for (int i = 0; i <= rank_of; i++)
            CHECK(seen[i] == 1000 * rank_of + i);
    }
    MPI_Win_shared_query(window, MPI_PROC_NULL, &bytes, &unit, &seen);
    CHECK(seen[0] == 0 && bytes == sizeof(int));
    MPI_Win_fence(0, window);
    /* What is accessed by the window is the same memory. */
    int next = (me + 1) % ranks, put = 77 + me;
    MPI_Put(&put, 1, MPI_INT, next, next, 1, MPI_INT, window);
    MPI_Win_fence(0, window);
    CHECK(own[me] == 77 + (me + ranks - 1) % ranks);
    MPI_Win_free(&window);
}

/* A buffer of messages and of collectives. */
static void messages(void)
{
    MPI_Win window;
    double *own, *first;
    MPI_Aint bytes;
    int unit;
    MPI_Win_allocate_shared(me == 0 ? 8 * (MPI_Aint)sizeof(double) * ranks : 0, sizeof(double), MPI_INFO_NULL, node, &own, &window);
    MPI_Win_shared_query(window, 0, &bytes, &unit, &first);
    CHECK(bytes == 8 * (MPI_Aint)sizeof(double) * ranks);
    double out[8], *mine = first + 8 * me;
    for (int i = 0; i < 8; i++)
        out[i] = me + 0.125 * i;
    MPI_Sendrecv(out, 8, MPI_DOUBLE, (me + 1) % ranks, 5, mine, 8, MPI_DOUBLE, (me + ranks - 1) % ranks, 5, node, MPI_STATUS_IGNORE);
    MPI_Barrier(node);
    for (int i = 0; i < 8 * ranks; i++)
        CHECK(first[i] == (i / 8 + ranks - 1) % ranks + 0.125 * (i % 8));
    MPI_Barrier(node);
    double sum[8];
    MPI_Allreduce(mine, sum, 8, MPI_DOUBLE, MPI_SUM, node);
    MPI_Bcast(first, 8, MPI_DOUBLE, ranks - 1, node); /* for all it is the same place */
    CHECK(sum[0] == 0.5 * ranks * (ranks - 1));
    MPI_Barrier(node);
    MPI_Win_free(&window);
}

/* A counter, and a word that one rank waits for. */
static void atomics(void)
{
    MPI_Win window;
    int *own, *first, unit;
    MPI_Aint bytes;
    MPI_Win_allocate_shared(me == 0 ? 64 : 0, 1, MPI_INFO_NULL, node, &own, &window);
    MPI_Win_shared_query(window, 0, &bytes, &unit, &first);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, window);
    if (me == 0)
        memset(first, 0, 64);
    MPI_Win_sync(window);
    MPI_Barrier(node);
    for (int i = 0; i < 100; i++)
        __atomic_fetch_add(first, 1, __ATOMIC_RELAXED);
    /* Hand to hand. */
    while (__atomic_load_n(first + 1, __ATOMIC_ACQUIRE) != me)
        sched_yield();
    first[2] += me;
    __atomic_store_n(first + 1, me + 1, __ATOMIC_RELEASE);
    MPI_Win_sync(window);
    MPI_Barrier(node);
    CHECK(first[0] == 100 * ranks && first[1] == ranks && first[2] == ranks * (ranks - 1) / 2);
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_size(node, &ranks);
    MPI_Comm_rank(node, &me);
    CHECK(size % ranks == 0 && (ranks == 1) == (size == 1));
    parts();
    check_part("parts");
    messages();
    check_part("messages");
    atomics();
    check_part("atomics");
    MPI_Comm_free(&node);
    return check_end();
}
