/* What several processes have to do alike, by the argument. Prints the same for any number of them. */
#include <errno.h>
#include <mog/channel.h>
#include <mog/graph.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../abi/mpi_call.h"

unsigned __mog_mpi(unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned);

static int rank, size;

/* Sums of doubles depend on the order: that of ranks, whoever adds. */
static void sums(void)
{
    double own[3] = {1.0 / (rank + 3), rank % 3 ? 1e17 / (rank + 1) : -7.7e16, rank * 0.1}, all[3], before[3] = {0, 0, 0}, part;
    MPI_Allreduce(own, all, 3, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Scan(own, before, 3, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (rank == size - 1)
        printf("scan %a %a %a\n", before[0], before[1], before[2]);
    if (rank == size - 1 && memcmp(all, before, sizeof all))
        printf("the last scan is not the sum of all\n");
    double *many = malloc((size_t)size * sizeof *many);
    for (int i = 0; i < size; i++)
        many[i] = own[i % 3] + i;
    MPI_Reduce_scatter_block(many, &part, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Reduce(&part, all, 1, MPI_DOUBLE, MPI_PROD, size / 2, MPI_COMM_WORLD);
    if (rank == size / 2)
        printf("product %a\n", all[0]);
}

/* Many long messages to the other half of all ranks, received in the other order. */
static void floods(void)
{
    enum { count = 5, words = 50000 };
    static int out[words], in[words];
    MPI_Request requests[count];
    const int other = (rank + size / 2) % size, from = (rank + size - size / 2) % size;
    for (int i = 0; i < words; i++)
        out[i] = rank + i;
    for (int i = 0; i < count; i++)
        MPI_Isend(out, words, MPI_INT, other, i, MPI_COMM_WORLD, requests + i);
    for (int i = count; i-- > 0;) {
        MPI_Recv(in, words, MPI_INT, from, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (in[0] != from || in[words - 1] != from + words - 1)
            printf("rank %d: message %d is wrong\n", rank, i);
    }
    MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
    /* More short ones than there is credit for. */
    for (int i = 0; i < 500; i++)
        MPI_Isend(out, 1000, MPI_INT, other, i, MPI_COMM_WORLD, requests), MPI_Request_free(requests);
    for (int i = 500; i-- > 0;) {
        MPI_Recv(in, 1000, MPI_INT, from, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (in[999] != from + 999)
            printf("rank %d: short message %d is wrong\n", rank, i);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("floods\n");
}

static unsigned call(int operation, unsigned context, int me, int a, int b, const void *c, int d)
{
    return __mog_mpi(MOG_MPI_WORD(operation, 0, MPI_INT & 0xff, MPI_SUM & 0xff), context, (unsigned)me, (unsigned)a, (unsigned)b, (unsigned)c, (unsigned)d, 0);
}

/* Communicators that interleave processes, by the calls of the engine: ranks by their remainders, the highest first; and of a list. */
static void splits(void)
{
    struct mog_mpi_made made, group = {MOG_MPI_NO_CONTEXT, 0, 0};
    if (call(MOG_MPI_split, MOG_MPI_WORLD, rank, rank % 3, -rank, &made, 0) != 0 || made.size != (size - rank % 3 + 2) / 3)
        printf("rank %d: split gives %d ranks\n", rank, made.size);
    /* Each sends to the next one there, which may not know the communicator yet. */
    int own = rank, got = -1, sum = 0, expected = 0;
    call(MOG_MPI_send, made.context, made.rank, (made.rank + 1) % made.size, 5, &own, 4);
    call(MOG_MPI_receive, made.context, made.rank, (made.rank + made.size - 1) % made.size, 5, &got, 4);
    if (got != (made.rank == 0 ? rank % 3 : rank + 3))
        printf("rank %d: got %d\n", rank, got);
    __mog_mpi(MOG_MPI_WORD(MOG_MPI_allreduce, 0, MPI_INT & 0xff, MPI_SUM & 0xff), made.context, (unsigned)made.rank, 0, (unsigned)&own, (unsigned)&sum, 1, 0);
    for (int i = rank % 3; i < size; i += 3)
        expected += i;
    if (sum != expected)
        printf("rank %d: the sum is %d, not %d\n", rank, sum, expected);
    /* The ends of the world, once by all, once by themselves alone. */
    const int list[2] = {size - 1, 0}, is_end = rank == 0 || rank == size - 1;
    for (int tag = -1; tag < 2; tag++) {
        if (tag >= 0 && !is_end)
            continue;
        const unsigned said = __mog_mpi(MOG_MPI_WORD(MOG_MPI_create, 0, 0, 0), MOG_MPI_WORLD, (unsigned)rank, (unsigned)list, is_end ? 2u : 0u, (unsigned)&group,
                                        (unsigned)tag, 0);
        if (said || (group.context != MOG_MPI_NO_CONTEXT) != is_end || (is_end && group.rank != (rank == 0)))
            printf("rank %d: create says %u, rank %d\n", rank, said, group.rank);
        if (!is_end)
            continue;
        int root = rank;
        __mog_mpi(MOG_MPI_WORD(MOG_MPI_bcast, 0, 0, 0), group.context, (unsigned)group.rank, 0, (unsigned)&root, 0, 4, 0);
        if (root != size - 1)
            printf("rank %d: broadcast %d\n", rank, root);
        call(MOG_MPI_free, group.context, group.rank, 0, 0, NULL, 0);
    }
    call(MOG_MPI_free, made.context, made.rank, 0, 0, NULL, 0);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("splits\n");
}

/* Half of all free a communicator before the others send them what they wait for in it. */
static void freed(void)
{
    const int half = size / 2, is_low = rank < half, other = is_low ? rank + half : rank - half;
    int got = -1;
    MPI_Comm comm;
    MPI_Request request;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    if (is_low) {
        MPI_Irecv(&got, 1, MPI_INT, other, 1, comm, &request);
        MPI_Comm_free(&comm);
        MPI_Send(&rank, 1, MPI_INT, other, 2, MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(&got, 1, MPI_INT, other, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&rank, 1, MPI_INT, other, 1, comm);
        MPI_Comm_free(&comm);
    }
    if (got != other)
        printf("rank %d: got %d from %d\n", rank, got, other);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("freed\n");
}

/* A graph is of one process: its PEs do what they have put into it, and no more. */
static mog_stack *numbers;
static int done;
static void halve(mog_batch *batch)
{
    for (unsigned i = 0; i < batch->count; i++) {
        const int number = *(int *)mog_batch_element(batch, i);
        done++;
        if (number > 1) {
            int *next = mog_graph_talloc(numbers, batch->level + 1, 1);
            *next = number / 2;
            mog_graph_enq(numbers, batch->level + 1, next, 1);
        }
    }
}
static void graphs(void)
{
    int all;
    mog_graph *graph = mog_graph_open("halves", 0);
    mog_node *node = mog_graph_node(graph, "halve", halve, 4);
    numbers = mog_graph_stack(graph, "numbers", "int", sizeof(int), 16, 6);
    mog_graph_connect(numbers, node);
    int *first = mog_graph_talloc(numbers, 0, 1);
    *first = 32;
    mog_graph_enq(numbers, 0, first, 1);
    if (mog_graph_execute(graph))
        perror("graph");
    const int own = done;
    MPI_Reduce(&own, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d done\n", all);
}

/* A channel of each process: what comes into the others' is forwarded to rank 1, which receives it into that of the first, where rank 0 takes it. */
static void channels(void)
{
    enum { each = 30, most = 64 };
    MPI_Comm here;
    int own, count, wrong = 0, put = 0, got = 0, all, next[most] = {0};
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
    MPI_Comm_rank(here, &own);
    MPI_Comm_size(here, &count);
    const int is_first = rank == own, others = size / count - 1;
    const mog_channel_options options = {0, 0, (uint32_t)count - 1};
    mog_channel *values = mog_channel_open("values", "int", sizeof(int), 8, &options);
    if (rank == 0) {
        for (int value; mog_channel_get(values, &value) == 0; got++)
            wrong += value / each >= most || value % each != next[value / each]++;
    } else if (own == 0) {
        wrong += mog_channel_forward(values, 1) != 0;
    } else if (rank == 1) {
        wrong += mog_channel_receive(values, (uint32_t)others) != 0;
        mog_channel_finish(values);
    } else {
        for (; put < each; put++) {
            const int value = rank * each + put;
            wrong += mog_channel_put(values, &value) != 0;
        }
        mog_channel_finish(values);
    }
    /* Other elements at the other end. */
    if (others > 0 && rank == 1)
        wrong += mog_channel_receive(mog_channel_open("words", "short", 2, 4, NULL), 1) != -1 || errno != EINVAL;
    if (others > 0 && own == 0 && rank == size - count)
        wrong += mog_channel_forward(mog_channel_open("words", "char", 1, 4, NULL), 1) != -1 || errno != EINVAL;
    if (is_first && own == 0)
        wrong += mog_channel_forward(values, size) != -1 || errno != EINVAL;
    const int differences[2] = {wrong, put - got};
    int sums[2];
    MPI_Reduce(differences, sums, 2, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(&put, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("channels: %d wrong, %d lost, %s\n", sums[0], sums[1], all > 0 ? "some came" : "none came");
    MPI_Comm_free(&here);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc > 1 && !strcmp(argv[1], "wait")) {
        /* Until somebody ends it. */
        if (rank == 0)
            printf("waits\n"), fflush(stdout), sleep(60);
        MPI_Barrier(MPI_COMM_WORLD);
    } else {
        sums();
        floods();
        splits();
        freed();
        graphs();
        channels();
    }
    MPI_Finalize();
    return 0;
}
