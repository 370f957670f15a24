/* Sends and receives of every kind. */
#include "check.h"

static int right, left;

static void modes(void)
{
    int in, out;
    MPI_Status status;
    void *buffer = malloc(1000 + 2 * MPI_BSEND_OVERHEAD);
    MPI_Buffer_attach(buffer, 1000 + 2 * MPI_BSEND_OVERHEAD);
    for (int mode = 0; mode < 4; mode++) {
        in = -1;
        out = 100 * rank + mode;
        MPI_Request request;
        MPI_Irecv(&in, 1, MPI_INT, left, mode, MPI_COMM_WORLD, &request);
        MPI_Barrier(MPI_COMM_WORLD);
        switch (mode) {
        case 0: MPI_Send(&out, 1, MPI_INT, right, mode, MPI_COMM_WORLD); break;
        case 1: MPI_Ssend(&out, 1, MPI_INT, right, mode, MPI_COMM_WORLD); break;
        case 2: MPI_Bsend(&out, 1, MPI_INT, right, mode, MPI_COMM_WORLD); break;
        case 3: MPI_Rsend(&out, 1, MPI_INT, right, mode, MPI_COMM_WORLD); break;
        }
        MPI_Wait(&request, &status);
        CHECK(request == MPI_REQUEST_NULL);
        CHECK(in == 100 * left + mode && status.MPI_SOURCE == left && status.MPI_TAG == mode);
    }
    for (int mode = 0; mode < 4; mode++) {
        in = -1;
        out = 100 * rank + mode;
        MPI_Request requests[2];
        MPI_Irecv(&in, 1, MPI_INT, left, mode, MPI_COMM_WORLD, requests);
        MPI_Barrier(MPI_COMM_WORLD);
        switch (mode) {
        case 0: MPI_Isend(&out, 1, MPI_INT, right, mode, MPI_COMM_WORLD, requests + 1); break;
        case 1: MPI_Issend(&out, 1, MPI_INT, right, mode, MPI_COMM_WORLD, requests + 1); break;
        case 2: MPI_Ibsend(&out, 1, MPI_INT, right, mode, MPI_COMM_WORLD, requests + 1); break;
        case 3: MPI_Irsend(&out, 1, MPI_INT, right, mode, MPI_COMM_WORLD, requests + 1); break;
        }
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        CHECK(in == 100 * left + mode && requests[0] == MPI_REQUEST_NULL && requests[1] == MPI_REQUEST_NULL);
    }
    /* More than the buffer has room for at once; each goes when the one before has gone. */
    char bytes[800], got[800];
    memset(bytes, rank % 100, sizeof bytes);
    for (int i = 0; i < 3; i++) {
        void *back;
        int room;
        MPI_Bsend(bytes, 800, MPI_CHAR, right, i, MPI_COMM_WORLD);
        MPI_Recv(got, 800, MPI_CHAR, left, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        CHECK(got[0] == left % 100 && got[799] == left % 100);
        MPI_Buffer_detach(&back, &room);
        CHECK(back == buffer && room == 1000 + 2 * MPI_BSEND_OVERHEAD);
        MPI_Buffer_attach(buffer, room);
    }
    MPI_Buffer_detach(&buffer, &in);
    free(buffer);
    check_part("modes");
}

/* Messages of one sender stay in order, where tags leave a choice. */
static void order(void)
{
    enum { N = 20 };
    int out[N], in[N];
    MPI_Request requests[N];
    MPI_Status status;
    for (int i = 0; i < N; i++) {
        out[i] = 1000 * rank + i;
        MPI_Isend(out + i, 1, MPI_INT, right, i % 3, MPI_COMM_WORLD, requests + i);
    }
    for (int i = 0; i < N; i++) {
        MPI_Recv(in + i, 1, MPI_INT, left, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        CHECK(in[i] == 1000 * left + i && status.MPI_TAG == i % 3);
    }
    MPI_Waitall(N, requests, MPI_STATUSES_IGNORE);
    /* By tag: first those of tag 2, then 1, then 0; each in order. */
    for (int i = 0; i < N; i++)
        MPI_Isend(out + i, 1, MPI_INT, right, i % 3, MPI_COMM_WORLD, requests + i);
    for (int tag = 2; tag >= 0; tag--)
        for (int i = tag; i < N; i += 3) {
            MPI_Recv(in, 1, MPI_INT, left, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            CHECK(in[0] == 1000 * left + i);
        }
    MPI_Waitall(N, requests, MPI_STATUSES_IGNORE);
    check_part("order");
}

/* Small and large, both ways round: receive first, send first. */
static void sizes(void)
{
    static const int counts[] = {0, 1, 3, 1000, 1024, 1025, 5000};
    char *out = malloc(5000), *in = malloc(5000);
    for (int k = 0; k < 14; k++) {
        const int n = counts[k / 2];
        MPI_Request request;
        MPI_Status status;
        int got;
        for (int i = 0; i < n; i++)
            out[i] = (char)(rank + i * 7 + k);
        memset(in, 0, 5000);
        if (k % 2) {
            MPI_Isend(out, n, MPI_CHAR, right, k, MPI_COMM_WORLD, &request);
            MPI_Recv(in, 5000, MPI_CHAR, left, k, MPI_COMM_WORLD, &status);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        } else {
            MPI_Irecv(in, 5000, MPI_CHAR, left, k, MPI_COMM_WORLD, &request);
            MPI_Send(out, n, MPI_CHAR, right, k, MPI_COMM_WORLD);
            MPI_Wait(&request, &status);
        }
        MPI_Get_count(&status, MPI_CHAR, &got);
        CHECK(got == n);
        int same = 1;
        for (int i = 0; i < n; i++)
            same &= in[i] == (char)(left + i * 7 + k);
        CHECK(same);
        CHECK(n == 5000 || in[n] == 0);
    }
    MPI_Status status;
    memcpy(out, "abcdefg", 7);
    MPI_Sendrecv_replace(out, 7, MPI_CHAR, right, 1, left, 1, MPI_COMM_WORLD, &status);
    CHECK(memcmp(out, "abcdefg", 7) == 0 && status.MPI_SOURCE == left);
    double one = rank, other = -1;
    MPI_Sendrecv(&one, 1, MPI_DOUBLE, right, 1, &other, 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &status);
    CHECK(other == left);
    int count;
    MPI_Get_count(&status, MPI_DOUBLE, &count);
    CHECK(count == 1);
    free(in);
    free(out);
    check_part("sizes");
}

static void any_source(void)
{
    if (rank == 0) {
        long sum = 0;
        for (int i = 1; i < size; i++) {
            int value;
            MPI_Status status;
            MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
            CHECK(value == 3 * status.MPI_SOURCE && status.MPI_TAG == status.MPI_SOURCE % 5);
            sum += value;
        }
        CHECK(sum == 3L * size * (size - 1) / 2);
    } else {
        int value = 3 * rank;
        MPI_Send(&value, 1, MPI_INT, 0, rank % 5, MPI_COMM_WORLD);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    /* Nobody. */
    int value = 17;
    MPI_Status status;
    MPI_Request request;
    MPI_Send(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
    MPI_Recv(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &status);
    CHECK(value == 17 && status.MPI_SOURCE == MPI_PROC_NULL && status.MPI_TAG == MPI_ANY_TAG);
    MPI_Irecv(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, &status);
    CHECK(status.MPI_SOURCE == MPI_PROC_NULL);
    MPI_Isend(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, &status);
    /* Oneself. */
    int mine = -1;
    MPI_Irecv(&mine, 1, MPI_INT, 0, 4, MPI_COMM_SELF, &request);
    MPI_Send(&rank, 1, MPI_INT, 0, 4, MPI_COMM_SELF);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(mine == rank);
    MPI_Barrier(MPI_COMM_SELF);
    check_part("any_source");
}

static void probes(void)
{
    MPI_Status status;
    MPI_Request request;
    MPI_Message message;
    int count, flag, in[4], out[3] = {rank, rank + 1, rank + 2};
    MPI_Isend(out, 3, MPI_INT, right, 9, MPI_COMM_WORLD, &request);
    MPI_Probe(left, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    CHECK(count == 3 && status.MPI_SOURCE == left && status.MPI_TAG == 9);
    MPI_Recv(in, count, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK(in[2] == left + 2);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    CHECK(!flag);
    MPI_Barrier(MPI_COMM_WORLD);

    MPI_Isend(out, 2, MPI_INT, right, 10, MPI_COMM_WORLD, &request);
    do
        MPI_Iprobe(left, 10, MPI_COMM_WORLD, &flag, &status);
    while (!flag);
    MPI_Get_count(&status, MPI_INT, &count);
    CHECK(count == 2);
    MPI_Mprobe(left, 10, MPI_COMM_WORLD, &message, &status);
    MPI_Iprobe(left, 10, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    CHECK(!flag);
    MPI_Mrecv(in, 2, MPI_INT, &message, &status);
    CHECK(message == MPI_MESSAGE_NULL && in[1] == left + 1 && status.MPI_TAG == 10);
    MPI_Wait(&request, MPI_STATUS_IGNORE);

    MPI_Isend(out, 1, MPI_INT, right, 11, MPI_COMM_WORLD, &request);
    do
        MPI_Improbe(left, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &message, &status);
    while (!flag);
    MPI_Request receive;
    MPI_Imrecv(in, 1, MPI_INT, &message, &receive);
    MPI_Wait(&receive, &status);
    CHECK(in[0] == left && status.MPI_SOURCE == left && status.MPI_TAG == 11);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Mprobe(MPI_PROC_NULL, 0, MPI_COMM_WORLD, &message, &status);
    CHECK(message == MPI_MESSAGE_NO_PROC);
    MPI_Mrecv(in, 1, MPI_INT, &message, &status);
    CHECK(status.MPI_SOURCE == MPI_PROC_NULL);

    /* A probe that waits before the message is sent. */
    if (rank == 0 && size > 1) {
        MPI_Mprobe(1, 12, MPI_COMM_WORLD, &message, &status);
        MPI_Get_count(&status, MPI_INT, &count);
        CHECK(count == 3);
        MPI_Mrecv(in, 3, MPI_INT, &message, MPI_STATUS_IGNORE);
        CHECK(in[0] == 1);
        MPI_Send(in, 1, MPI_INT, 1, 13, MPI_COMM_WORLD);
    } else if (rank == 1) {
        MPI_Ssend(out, 3, MPI_INT, 0, 12, MPI_COMM_WORLD);
        MPI_Probe(0, 13, MPI_COMM_WORLD, &status);
        MPI_Recv(in, 1, MPI_INT, 0, 13, MPI_COMM_WORLD, &status);
    }
    check_part("probes");
}

static void many(void)
{
    enum { N = 50 };
    int in[N], out[N], done = 0, index, flag, indices[N];
    MPI_Request receives[N], sends[N];
    MPI_Status status, statuses[N];
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < N; i++) {
            in[i] = -1;
            out[i] = rank * N + i;
            MPI_Irecv(in + i, 1, MPI_INT, left, i, MPI_COMM_WORLD, receives + i);
        }
        for (int i = N - 1; i >= 0; i--)
            MPI_Isend(out + i, 1, MPI_INT, right, i, MPI_COMM_WORLD, sends + i);
        for (done = 0; done < N;)
            switch (round) {
            case 0:
                MPI_Waitany(N, receives, &index, &status);
                CHECK(index >= 0 && index < N && in[index] == left * N + index && status.MPI_TAG == index);
                done++;
                break;
            case 1: {
                int some;
                MPI_Waitsome(N, receives, &some, indices, statuses);
                CHECK(some > 0);
                for (int i = 0; i < some; i++)
                    CHECK(in[indices[i]] == left * N + indices[i] && statuses[i].MPI_TAG == indices[i]);
                done += some;
                break;
            }
            default:
                MPI_Testall(N, receives, &flag, statuses);
                if (flag)
                    done = N;
            }
        for (int i = 0; i < N; i++)
            CHECK(in[i] == left * N + i && receives[i] == MPI_REQUEST_NULL);
        if (round == 0) {
            MPI_Waitany(N, receives, &index, &status);
            CHECK(index == MPI_UNDEFINED);
            MPI_Testany(N, receives, &index, &flag, &status);
            CHECK(flag && index == MPI_UNDEFINED);
        } else if (round == 1) {
            int some;
            MPI_Waitsome(N, receives, &some, indices, statuses);
            CHECK(some == MPI_UNDEFINED);
        }
        MPI_Waitall(N, sends, MPI_STATUSES_IGNORE);
    }
    /* Tests that find nothing, then something. */
    MPI_Irecv(in, 1, MPI_INT, left, 77, MPI_COMM_WORLD, receives);
    MPI_Irecv(in + 1, 1, MPI_INT, left, 78, MPI_COMM_WORLD, receives + 1);
    MPI_Test(receives, &flag, &status);
    CHECK(!flag && receives[0] != MPI_REQUEST_NULL);
    MPI_Testany(2, receives, &index, &flag, &status);
    CHECK(!flag);
    MPI_Testsome(2, receives, &done, indices, statuses);
    CHECK(done == 0);
    MPI_Request_get_status(receives[0], &flag, &status);
    CHECK(!flag);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Send(out, 1, MPI_INT, right, 78, MPI_COMM_WORLD);
    MPI_Send(out + 1, 1, MPI_INT, right, 77, MPI_COMM_WORLD);
    do
        MPI_Request_get_status(receives[1], &flag, &status);
    while (!flag);
    CHECK(status.MPI_TAG == 78);
    do
        MPI_Testsome(2, receives, &done, indices, statuses);
    while (done == 0);
    CHECK(done == MPI_UNDEFINED || (done >= 1 && done <= 2));
    MPI_Waitall(2, receives, MPI_STATUSES_IGNORE);
    CHECK(in[0] == left * N + 1 && in[1] == left * N);
    check_part("many");
}

static void persistent(void)
{
    MPI_Request requests[5];
    int in[4], out[4];
    const int room = 4096;
    void *buffer = malloc((size_t)room), *back;
    int back_room;
    MPI_Buffer_attach(buffer, room);
    MPI_Send_init(out, 1, MPI_INT, right, 1, MPI_COMM_WORLD, requests);
    MPI_Ssend_init(out + 1, 1, MPI_INT, right, 2, MPI_COMM_WORLD, requests + 1);
    MPI_Bsend_init(out + 2, 1, MPI_INT, right, 3, MPI_COMM_WORLD, requests + 2);
    MPI_Recv_init(in, 1, MPI_INT, left, 1, MPI_COMM_WORLD, requests + 3);
    MPI_Recv_init(in + 1, 1, MPI_INT, left, 2, MPI_COMM_WORLD, requests + 4);
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 3; k++)
            out[k] = 100 * rank + 10 * k + i;
        MPI_Startall(5, requests);
        MPI_Recv(in + 2, 1, MPI_INT, left, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Waitall(5, requests, MPI_STATUSES_IGNORE);
        for (int k = 0; k < 3; k++)
            CHECK(in[k] == 100 * left + 10 * k + i);
    }
    for (int i = 0; i < 5; i++) {
        CHECK(requests[i] != MPI_REQUEST_NULL);
        MPI_Request_free(requests + i);
        CHECK(requests[i] == MPI_REQUEST_NULL);
    }
    MPI_Buffer_detach(&back, &back_room);
    free(back);
    check_part("persistent");
}

static void cancel(void)
{
    MPI_Request request;
    MPI_Status status;
    int in = 5, flag;
    MPI_Irecv(&in, 1, MPI_INT, left, 99, MPI_COMM_WORLD, &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, &status);
    MPI_Test_cancelled(&status, &flag);
    CHECK(flag && in == 5);
    /* One that has its message is not cancelled. */
    MPI_Irecv(&in, 1, MPI_INT, left, 98, MPI_COMM_WORLD, &request);
    MPI_Send(&rank, 1, MPI_INT, right, 98, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Wait(&request, &status);
    MPI_Test_cancelled(&status, &flag);
    CHECK(!flag && in == left);
    /* Freed before it is done: it is done nevertheless. */
    int out = rank + 1;
    MPI_Isend(&out, 1, MPI_INT, right, 97, MPI_COMM_WORLD, &request);
    MPI_Request_free(&request);
    MPI_Recv(&in, 1, MPI_INT, left, 97, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK(in == left + 1 && request == MPI_REQUEST_NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Wait(&request, &status);
    check_part("cancel");
}

static int class_of(int code)
{
    int class;
    MPI_Error_class(code, &class);
    return class;
}

static int told;
static void own_handler(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    told = class_of(*code);
}

static void errors(void)
{
    int value = 1, length, in[2];
    char text[MPI_MAX_ERROR_STRING];
    MPI_Errhandler before, own;
    MPI_Request request;
    MPI_Status status;
    MPI_Comm_get_errhandler(MPI_COMM_WORLD, &before);
    CHECK(before == MPI_ERRORS_ARE_FATAL);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    CHECK(class_of(MPI_Send(&value, 1, MPI_INT, size, 0, MPI_COMM_WORLD)) == MPI_ERR_RANK);
    CHECK(class_of(MPI_Send(&value, 1, MPI_INT, -5, 0, MPI_COMM_WORLD)) == MPI_ERR_RANK);
    CHECK(class_of(MPI_Send(&value, -1, MPI_INT, right, 0, MPI_COMM_WORLD)) == MPI_ERR_COUNT);
    CHECK(class_of(MPI_Send(&value, 1, MPI_INT, right, -7, MPI_COMM_WORLD)) == MPI_ERR_TAG);
    CHECK(class_of(MPI_Send(&value, 1, MPI_DATATYPE_NULL, right, 0, MPI_COMM_WORLD)) == MPI_ERR_TYPE);
    CHECK(class_of(MPI_Recv(&value, 1, MPI_INT, size, 0, MPI_COMM_WORLD, &status)) == MPI_ERR_RANK);
    CHECK(class_of(MPI_Irecv(&value, -1, MPI_INT, left, 0, MPI_COMM_WORLD, &request)) == MPI_ERR_COUNT);
    CHECK(class_of(MPI_Isend(&value, 1, MPI_INT, size + 1, 0, MPI_COMM_WORLD, &request)) == MPI_ERR_RANK);
    int out[2] = {rank, rank};
    MPI_Irecv(in, 1, MPI_INT, left, 5, MPI_COMM_WORLD, &request);
    MPI_Send(out, 2, MPI_INT, right, 5, MPI_COMM_WORLD);
    CHECK(class_of(MPI_Wait(&request, &status)) == MPI_ERR_TRUNCATE);
    MPI_Isend(out, 2, MPI_INT, right, 6, MPI_COMM_WORLD, &request);
    CHECK(class_of(MPI_Recv(in, 1, MPI_INT, left, 6, MPI_COMM_WORLD, &status)) == MPI_ERR_TRUNCATE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Error_string(MPI_ERR_RANK, text, &length);
    CHECK(length > 0 && (int)strlen(text) == length);
    MPI_Comm_create_errhandler(own_handler, &own);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, own);
    MPI_Send(&value, 1, MPI_INT, size, 0, MPI_COMM_WORLD);
    CHECK(told == MPI_ERR_RANK);
    MPI_Errhandler_free(&own);
    CHECK(own == MPI_ERRHANDLER_NULL);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    int class, code;
    MPI_Add_error_class(&class);
    MPI_Add_error_code(class, &code);
    MPI_Add_error_string(code, "too many cooks");
    MPI_Error_string(code, text, &length);
    CHECK(strcmp(text, "too many cooks") == 0 && class_of(code) == class);
    check_part("errors");
}

int main(int argc, char **argv)
{
    int flag, version, subversion, provided;
    char name[MPI_MAX_PROCESSOR_NAME];
    MPI_Initialized(&flag);
    CHECK(!flag);
    check_begin(&argc, &argv);
    MPI_Initialized(&flag);
    CHECK(flag);
    MPI_Get_version(&version, &subversion);
    CHECK(version >= 3);
    MPI_Get_processor_name(name, &flag);
    CHECK(flag > 0 && (int)strlen(name) == flag);
    MPI_Query_thread(&provided);
    CHECK(MPI_Wtick() > 0 && MPI_Wtick() < 1);
    const double begin = MPI_Wtime();
    right = (rank + 1) % size;
    left = (rank + size - 1) % size;
    modes();
    order();
    sizes();
    any_source();
    probes();
    many();
    persistent();
    cancel();
    errors();
    CHECK(MPI_Wtime() >= begin);
    MPI_Finalized(&flag);
    CHECK(!flag);
    const int status = check_end();
    MPI_Finalized(&flag);
    CHECK(flag);
    return status;
}
