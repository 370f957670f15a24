/* Short messages, which go from PE to PE within a launch where a device has mailboxes, beside all that does not: they are received in their order,
 * whichever way each of them takes. */
#include <mpi.h>

#include "check.h"

static unsigned state;

/* The same numbers for whoever knows the seed. */
static unsigned next(void)
{
    state = state * 1664525u + 1013904223u;
    return state >> 16;
}

/* Token after token, through all ranks. */
static void rings(void)
{
    const int right = (rank + 1) % size, left = (rank + size - 1) % size;
    for (int lap = 0; lap < 5; lap++) {
        int token = lap;
        if (rank == 0)
            MPI_Send(&token, 1, MPI_INT, right, lap, MPI_COMM_WORLD);
        MPI_Status status;
        MPI_Recv(&token, 1, MPI_INT, left, lap, MPI_COMM_WORLD, &status);
        CHECK(token == lap + (rank == 0 ? size - 1 : rank - 1) && status.MPI_SOURCE == left && status.MPI_TAG == lap);
        token++;
        if (rank != 0)
            MPI_Send(&token, 1, MPI_INT, right, lap, MPI_COMM_WORLD);
    }
    check_part("rings");
}

/* Bytes of all lengths around what a mailbox takes, at all alignments, and longer ones; each lap with one way to send and one to receive. */
static void lengths(void)
{
    static const int longer[] = {100, 333, 1000, 5000, 17000};
    enum { SHORT = 70, MOST = 17010 };
    static char out[MOST], in[MOST];
    const int right = (rank + 1) % size, left = (rank + size - 1) % size;
    for (int way = 0; way < 6; way++) {
        const int longest = way < 4 ? 5 : 3; /* what everybody sends first has to be kept */
        for (int step = 0; step < SHORT + longest; step += step < SHORT - 6 ? 1 + way : 1) {
            const int length = step < SHORT ? step : longer[step - SHORT];
            for (int i = 0; i < length + 8; i++) {
                out[i] = (char)(rank + i + length);
                in[i] = 99;
            }
            const int at = length % 4, to = (length / 4) % 4;
            MPI_Request requests[2];
            MPI_Status status;
            int flag = 0, count;
            switch (way) {
            case 0:
                MPI_Sendrecv(out + at, length, MPI_CHAR, right, 7, in + to, length, MPI_CHAR, left, 7, MPI_COMM_WORLD, &status);
                break;
            case 1:
                MPI_Irecv(in + to, MOST - 4, MPI_CHAR, left, 7, MPI_COMM_WORLD, requests);
                MPI_Isend(out + at, length, MPI_CHAR, right, 7, MPI_COMM_WORLD, requests + 1);
                MPI_Wait(requests + 1, MPI_STATUS_IGNORE);
                MPI_Wait(requests, &status);
                break;
            case 2:
                MPI_Isend(out + at, length, MPI_CHAR, right, 7, MPI_COMM_WORLD, requests);
                MPI_Recv(in + to, MOST - 4, MPI_CHAR, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
                MPI_Wait(requests, MPI_STATUS_IGNORE);
                break;
            case 3:
                MPI_Irecv(in + to, MOST - 4, MPI_CHAR, left, MPI_ANY_TAG, MPI_COMM_WORLD, requests);
                MPI_Send(out + at, length, MPI_CHAR, right, 7, MPI_COMM_WORLD);
                while (!flag) MPI_Test(requests, &flag, &status);
                break;
            case 4:
                MPI_Send(out + at, length, MPI_CHAR, right, 7, MPI_COMM_WORLD);
                MPI_Probe(left, 7, MPI_COMM_WORLD, &status);
                MPI_Get_count(&status, MPI_CHAR, &count);
                CHECK(count == length);
                MPI_Recv(in + to, count, MPI_CHAR, left, 7, MPI_COMM_WORLD, &status);
                break;
            default:
                MPI_Send(out + at, length, MPI_CHAR, right, 7, MPI_COMM_WORLD);
                while (!flag) MPI_Iprobe(left, 7, MPI_COMM_WORLD, &flag, &status);
                MPI_Recv(in + to, MOST - 4, MPI_CHAR, status.MPI_SOURCE, 7, MPI_COMM_WORLD, &status);
            }
            MPI_Get_count(&status, MPI_CHAR, &count);
            CHECK(count == length && status.MPI_SOURCE == left && status.MPI_TAG == 7);
            for (int i = 0; i < length; i++)
                CHECK(in[to + i] == (char)(left + at + i + length));
            CHECK(in[to + length] == 99);
        }
    }
    check_part("lengths");
}

/* More than a mailbox has places for, received from the last tag to the first; and from all to one. */
static void floods(void)
{
    const int right = (rank + 1) % size, left = (rank + size - 1) % size;
    enum { MANY = 30 };
    for (int i = 0; i < MANY; i++) {
        const int number = 1000 * rank + i;
        MPI_Send(&number, 1, MPI_INT, right, i, MPI_COMM_WORLD);
    }
    for (int i = MANY - 1; i >= 0; i--) {
        int number = -1;
        MPI_Recv(&number, 1, MPI_INT, left, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        CHECK(number == 1000 * left + i);
    }
    for (int i = 0; i < 4; i++) {
        const int number = 1000 * rank + i;
        if (rank != 0)
            MPI_Send(&number, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
    }
    if (rank == 0) {
        int *const came = calloc((size_t)size, sizeof *came);
        for (int i = 0; i < 4 * (size - 1); i++) {
            int number = -1;
            MPI_Status status;
            MPI_Recv(&number, 1, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &status);
            CHECK(number == 1000 * status.MPI_SOURCE + came[status.MPI_SOURCE]);
            came[status.MPI_SOURCE]++;
        }
        free(came);
    }
    check_part("floods");
}

/* Each rank's messages to each other one carry numbers that go up, in messages of all lengths, by all ways; receives are posted before and after, for
 * one tag or any, more of them than a mailbox takes. */
static void crowd(void)
{
    enum { ROUNDS = 12, EACH = 12, MOST = 600 };
    static int in[EACH][MOST], out[EACH][MOST];
    MPI_Comm other;
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    for (int round = 0; round < ROUNDS; round++) {
        state = (unsigned)round;
        const int step = size == 1 ? 0 : 1 + (int)(next() % (unsigned)(size - 1));
        const int to = (rank + step) % size, from = (rank + size - step) % size;
        int tags[EACH], lengths[EACH], first = (int)(next() % EACH);
        MPI_Comm comms[EACH];
        for (int i = 0; i < EACH; i++) {
            tags[i] = (int)(next() % 3);
            lengths[i] = next() % 4 == 0 ? 1 + (int)(next() % (MOST - 1)) : 1 + (int)(next() % 16);
            comms[i] = next() % 5 == 0 ? other : MPI_COMM_WORLD;
        }
        MPI_Request receives[EACH], sends[EACH];
        /* Some before anything comes. */
        for (int i = 0; i < first; i++) {
            in[i][0] = -1;
            MPI_Irecv(in[i], MOST, MPI_INT, next() % 2 ? from : MPI_ANY_SOURCE, tags[i], comms[i], receives + i);
        }
        for (int i = 0; i < EACH; i++) {
            out[i][0] = 100 * rank + i;
            out[i][lengths[i] - 1] = 100 * rank + i;
            if (next() % 2)
                MPI_Isend(out[i], lengths[i], MPI_INT, to, tags[i], comms[i], sends + i);
            else
                MPI_Issend(out[i], lengths[i], MPI_INT, to, tags[i], comms[i], sends + i);
        }
        if (next() % 3 == 0)
            MPI_Barrier(MPI_COMM_WORLD);
        for (int i = first; i < EACH; i++) {
            in[i][0] = -1;
            MPI_Irecv(in[i], MOST, MPI_INT, from, tags[i], comms[i], receives + i);
        }
        MPI_Status statuses[EACH];
        if (next() % 2)
            MPI_Waitall(EACH, receives, statuses);
        else
            for (int left = EACH, i; left > 0; left--) {
                MPI_Status status;
                MPI_Waitany(EACH, receives, &i, &status);
                statuses[i] = status;
            }
        for (int i = 0; i < EACH; i++) {
            int count;
            MPI_Get_count(statuses + i, MPI_INT, &count);
            CHECK(count == lengths[i] && in[i][0] == 100 * from + i && in[i][count - 1] == 100 * from + i && statuses[i].MPI_SOURCE == from);
        }
        MPI_Waitall(EACH, sends, MPI_STATUSES_IGNORE);
        MPI_Barrier(MPI_COMM_WORLD);  /* others' are of the same round */
    }
    MPI_Comm_free(&other);
    check_part("crowd");
}

/* A message that is longer than its receive, one that is cancelled, and one to nobody. */
static void ends(void)
{
    int pair[2] = {rank, rank}, one = -1, code, flag;
    const int right = (rank + 1) % size, left = (rank + size - 1) % size;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Send(pair, 2, MPI_INT, right, 1, MPI_COMM_WORLD);
    code = MPI_Recv(&one, 1, MPI_INT, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK(code == MPI_ERR_TRUNCATE);
    MPI_Request request;
    MPI_Status status;
    MPI_Irecv(&one, 1, MPI_INT, left, 1, MPI_COMM_WORLD, &request);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Send(pair, 2, MPI_INT, right, 1, MPI_COMM_WORLD);
    code = MPI_Wait(&request, &status);
    CHECK(code == MPI_ERR_TRUNCATE);
    MPI_Irecv(&one, 1, MPI_INT, left, 2, MPI_COMM_WORLD, &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, &status);
    MPI_Test_cancelled(&status, &flag);
    CHECK(flag);
    MPI_Send(pair, 1, MPI_INT, MPI_PROC_NULL, 2, MPI_COMM_WORLD);
    CHECK(MPI_Send(pair, 1, MPI_INT, size, 2, MPI_COMM_WORLD) == MPI_ERR_RANK);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    check_part("ends");
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv);
    rings();
    lengths();
    floods();
    crowd();
    ends();
    return check_end();
}
