/* Several threads of each rank call MPI at the same time: messages both ways, any source, probes, requests, collectives of communicators of
 * their own; a thread that waits keeps no other one of its rank from what it waits for. */
#include <pthread.h>

#include "check.h"

enum { THREADS = 3, ROUNDS = 5 };
static MPI_Comm comms[THREADS];
static int bad[THREADS];

static int begin(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    return provided;
}

static void all(void *(*function)(void *))
{
    pthread_t threads[THREADS];
    for (long i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], NULL, function, (void *)i) == 0);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        CHECK(bad[i] == 0);
        bad[i] = 0;
    }
}

/* The first thread receives what the second one sends only when the first one has received. */
static void *chained(void *argument)
{
    long me = (long)argument;
    int next = (rank + 1) % size, last = (rank + size - 1) % size, value = -1;
    if (me == 0) { /* waits for what this rank's neighbour sends after it was told by this rank's second thread */
        MPI_Recv(&value, 1, MPI_INT, next, 50, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        bad[me] += value != next;
    } else if (me == 1) {
        MPI_Send(&rank, 1, MPI_INT, next, 51, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&value, 1, MPI_INT, last, 51, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        bad[me] += value != last;
        MPI_Send(&rank, 1, MPI_INT, last, 50, MPI_COMM_WORLD);
    }
    return NULL;
}

static void *exchanging(void *argument)
{
    long me = (long)argument;
    static double big[THREADS][2][3000];
    int next = (rank + 1) % size, last = (rank + size - 1) % size;
    for (int round = 0; round < ROUNDS; round++) {
        MPI_Status status;
        MPI_Request requests[2];
        int got[3], sent[3] = {rank, round, (int)me}, count;
        MPI_Irecv(got, 3, MPI_INT, last, (int)me, MPI_COMM_WORLD, &requests[0]);
        MPI_Isend(sent, 3, MPI_INT, next, (int)me, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        bad[me] += got[0] != last || got[1] != round || got[2] != me;
        for (int i = 0; i < 3000; i++)
            big[me][0][i] = rank + 1000 * round + (double)me / 8;
        MPI_Sendrecv(big[me][0], 3000, MPI_DOUBLE, next, 10 + (int)me, big[me][1], 3000, MPI_DOUBLE, MPI_ANY_SOURCE, 10 + (int)me,
                     MPI_COMM_WORLD, &status);
        bad[me] += status.MPI_SOURCE != last || big[me][1][2999] != last + 1000 * round + (double)me / 8;
        MPI_Isend(sent, round % 3 + 1, MPI_INT, next, 20 + (int)me, MPI_COMM_WORLD, &requests[0]);
        MPI_Probe(last, 20 + (int)me, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_INT, &count);
        bad[me] += count != round % 3 + 1;
        MPI_Recv(got, 3, MPI_INT, last, 20 + (int)me, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    }
    return NULL;
}

static void *together(void *argument)
{
    long me = (long)argument;
    for (int round = 0; round < ROUNDS; round++) {
        int sum = -1, from = rank == round % size ? 100 * round + (int)me : -1;
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comms[me]);
        bad[me] += sum != size * (size - 1) / 2;
        MPI_Bcast(&from, 1, MPI_INT, round % size, comms[me]);
        bad[me] += from != 100 * round + (int)me;
        MPI_Barrier(comms[me]);
    }
    return NULL;
}

static void farther_of(void *in, void *inout, int *count, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *count; i++)
        if (((int *)in)[i] > ((int *)inout)[i])
            ((int *)inout)[i] = ((int *)in)[i];
}

/* A reduction by a function of the program, to which rank 0 comes when another rank's threads have done all else. */
static MPI_Op farther;
static void *combining(void *argument)
{
    long me = (long)argument;
    int most = -1, value = -1;
    if (me == 0) {
        if (rank == 0)
            MPI_Recv(&value, 1, MPI_INT, 1 % size, 60, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Allreduce(&rank, &most, 1, MPI_INT, farther, comms[me]);
        bad[me] += most != size - 1;
    } else {
        exchanging(argument);
        if (me == 1 && rank == 1 % size)
            MPI_Send(&rank, 1, MPI_INT, 0, 60, MPI_COMM_WORLD);
    }
    for (int round = 0; round < ROUNDS; round++) {
        MPI_Request requests[2];
        int values[2] = {rank + round, 7 * rank}, mosts[2] = {-1, -1};
        MPI_Iallreduce(values, mosts, 2, MPI_INT, farther, comms[me], &requests[0]);
        MPI_Irecv(&value, 1, MPI_INT, (rank + size - 1) % size, 70 + (int)me, MPI_COMM_WORLD, &requests[1]);
        MPI_Send(&round, 1, MPI_INT, (rank + 1) % size, 70 + (int)me, MPI_COMM_WORLD);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        bad[me] += value != round || mosts[0] != size - 1 + round || mosts[1] != 7 * (size - 1);
    }
    return NULL;
}

/* Each thread makes types and communicators of its own. */
static void *making(void *argument)
{
    long me = (long)argument;
    for (int round = 0; round < ROUNDS; round++) {
        MPI_Datatype columns;
        MPI_Comm half;
        int values[4] = {rank, -1, rank + 1, -1}, got[4] = {0, 0, 0, 0}, ranks;
        MPI_Type_vector(2, 1, 2, MPI_INT, &columns);
        MPI_Type_commit(&columns);
        MPI_Sendrecv(values, 1, columns, (rank + 1) % size, 30 + (int)me, got, 1, columns, (rank + size - 1) % size, 30 + (int)me,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        bad[me] += got[0] != (rank + size - 1) % size || got[2] != got[0] + 1 || got[1] != 0;
        MPI_Type_free(&columns);
        MPI_Comm_split(comms[me], rank % 2, rank, &half);
        MPI_Comm_size(half, &ranks);
        bad[me] += ranks != (size + 1 - rank % 2) / 2;
        MPI_Comm_free(&half);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    int provided = begin(argc, argv), main_thread;
    if (provided != MPI_THREAD_MULTIPLE)
        printf("only level %d is provided\n", provided);
    MPI_Is_thread_main(&main_thread);
    CHECK(main_thread);
    for (int i = 0; i < THREADS; i++)
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
    all(chained);
    check_part("chained");
    all(exchanging);
    check_part("exchanging");
    all(together);
    check_part("together");
    all(making);
    check_part("making");
    MPI_Op_create(farther_of, 1, &farther);
    all(combining);
    MPI_Op_free(&farther);
    check_part("combining");
    for (int i = 0; i < THREADS; i++)
        MPI_Comm_free(&comms[i]);
    return check_end();
}
