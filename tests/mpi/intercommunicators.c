/* Intercommunicators: even ranks and odd ones. Making, messages, every collective, at once and with requests, what is made of them. */
#include "check.h"

enum { N = 3 };
static MPI_Comm local, inter;
static int own_rank, own_size, remote_size, is_odd;
static int *out, *in;

/* World rank of rank `r` of the other group. */
static int remote(int r) { return 2 * r + !is_odd; }
static int sum_of_remote(int factor)
{
    int sum = 0;
    for (int r = 0; r < remote_size; r++)
        sum += remote(r) * factor;
    return sum;
}

static void fill(int count, int value)
{
    for (int i = 0; i < count; i++)
        out[i] = value + i;
}
static void clear(int count)
{
    for (int i = 0; i < count; i++)
        in[i] = -1;
}

/* Does a collective, and does it again with a request, and looks at what came. */
#define BOTH(before, check, name, ...)                      \
    do {                                                    \
        MPI_Request request_;                               \
        before;                                             \
        MPI_##name(__VA_ARGS__, inter);                     \
        check;                                              \
        before;                                             \
        BEGIN_##name(__VA_ARGS__, inter, &request_);        \
        MPI_Wait(&request_, MPI_STATUS_IGNORE);             \
        check;                                              \
    } while (0)
#define BEGIN_Bcast MPI_Ibcast
#define BEGIN_Gather MPI_Igather
#define BEGIN_Gatherv MPI_Igatherv
#define BEGIN_Scatter MPI_Iscatter
#define BEGIN_Scatterv MPI_Iscatterv
#define BEGIN_Allgather MPI_Iallgather
#define BEGIN_Allgatherv MPI_Iallgatherv
#define BEGIN_Alltoall MPI_Ialltoall
#define BEGIN_Alltoallv MPI_Ialltoallv
#define BEGIN_Reduce MPI_Ireduce
#define BEGIN_Allreduce MPI_Iallreduce
#define BEGIN_Reduce_scatter_block MPI_Ireduce_scatter_block
#define BEGIN_Reduce_scatter MPI_Ireduce_scatter

static void make(void)
{
    int flag, result, n;
    MPI_Group group;
    MPI_Comm_split(MPI_COMM_WORLD, is_odd, rank, &local);
    MPI_Comm_rank(local, &own_rank);
    MPI_Comm_size(local, &own_size);
    MPI_Intercomm_create(local, 0, MPI_COMM_WORLD, !is_odd, 12, &inter);
    MPI_Comm_test_inter(inter, &flag);
    CHECK(flag);
    MPI_Comm_test_inter(local, &flag);
    CHECK(!flag);
    MPI_Comm_remote_size(inter, &remote_size);
    CHECK(remote_size == (is_odd ? (size + 1) / 2 : size / 2));
    MPI_Comm_size(inter, &n);
    CHECK(n == own_size);
    MPI_Comm_rank(inter, &n);
    CHECK(n == own_rank);
    MPI_Comm_remote_group(inter, &group);
    MPI_Group_size(group, &n);
    CHECK(n == remote_size);
    int first = 0, in_world;
    MPI_Group world;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_translate_ranks(group, 1, &first, world, &in_world);
    CHECK(in_world == remote(0));
    MPI_Group_free(&group);
    MPI_Group_free(&world);
    MPI_Comm_compare(inter, inter, &result);
    CHECK(result == MPI_IDENT);
    MPI_Comm_compare(inter, local, &result);
    CHECK(result == MPI_UNEQUAL);
    check_part("made");
}

static void messages(void)
{
    MPI_Status status;
    MPI_Request requests[2];
    int to = own_rank % remote_size, value = rank, got = -1, count;
    /* Rank r of a group gets from those whose rank is r, r + size, ... */
    MPI_Isend(&value, 1, MPI_INT, to, 5, inter, requests);
    for (int from = own_rank; from < remote_size; from += own_size) {
        MPI_Probe(from, 5, inter, &status);
        MPI_Get_count(&status, MPI_INT, &count);
        CHECK(status.MPI_SOURCE == from && count == 1);
        MPI_Recv(&got, 1, MPI_INT, from, MPI_ANY_TAG, inter, &status);
        CHECK(got == remote(from) && status.MPI_SOURCE == from && status.MPI_TAG == 5);
    }
    MPI_Wait(requests, MPI_STATUS_IGNORE);
    MPI_Barrier(inter);
    /* All to the first of the other group. */
    MPI_Issend(&value, 1, MPI_INT, 0, 6, inter, requests);
    if (own_rank == 0) {
        int sum = 0;
        for (int i = 0; i < remote_size; i++) {
            MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 6, inter, &status);
            CHECK(got == remote(status.MPI_SOURCE));
            sum += got;
        }
        CHECK(sum == sum_of_remote(1));
    }
    MPI_Wait(requests, MPI_STATUS_IGNORE);
    MPI_Recv(&got, 1, MPI_INT, MPI_PROC_NULL, 0, inter, &status);
    CHECK(status.MPI_SOURCE == MPI_PROC_NULL);
    MPI_Comm_set_errhandler(inter, MPI_ERRORS_RETURN);
    int class;
    MPI_Error_class(MPI_Send(&value, 1, MPI_INT, remote_size, 0, inter), &class);
    CHECK(class == MPI_ERR_RANK);
    MPI_Comm_set_errhandler(inter, MPI_ERRORS_ARE_FATAL);
    check_part("messages");
}

/* The root is the last of the odd ranks, and then of the even ones. */
static void rooted(void)
{
    for (int group = 0; group < 2; group++) {
        const int sends = group == is_odd, size_there = sends ? own_size : remote_size;
        const int root = sends ? own_rank == own_size - 1 ? MPI_ROOT : MPI_PROC_NULL : size_there - 1;
        const int root_world = 2 * (size_there - 1) + group, is_root = root == MPI_ROOT;
        int *const counts = malloc(2 * remote_size * sizeof *counts), *const displacements = counts + remote_size, mine = own_rank % 3;
        for (int i = 0; i < remote_size; i++)
            counts[i] = i % 3, displacements[i] = 2 * i;
        BOTH((clear(N), is_root ? memcpy(in, (int[]){rank, rank + 1, rank + 2}, sizeof(int[N])) : NULL),
             CHECK(sends || (in[0] == root_world && in[2] == root_world + 2)), Bcast, in, N, MPI_INT, root);
        BOTH((fill(N, rank), clear(N * remote_size)), for (int i = 0; is_root && i < N * remote_size; i++) CHECK(in[i] == remote(i / N) + i % N),
             Gather, out, N, MPI_INT, in, N, MPI_INT, root);
        BOTH((fill(N, rank), clear(N * remote_size)),
             for (int i = 0; is_root && i < 2 * remote_size; i++) CHECK(in[i] == (i % 2 < i / 2 % 3 ? remote(i / 2) + i % 2 : -1)), Gatherv, out, mine,
             MPI_INT, in, counts, displacements, MPI_INT, root);
        BOTH((fill(N * remote_size, rank), clear(N)), for (int i = 0; !sends && i < N; i++) CHECK(in[i] == root_world + N * own_rank + i), Scatter, out, N,
             MPI_INT, in, N, MPI_INT, root);
        BOTH((fill(2 * remote_size, rank), clear(N)), for (int i = 0; !sends && i < N; i++) CHECK(in[i] == (i < mine ? root_world + 2 * own_rank + i : -1)),
             Scatterv, out, counts, displacements, MPI_INT, in, mine, MPI_INT, root);
        BOTH((fill(N, rank), clear(N)), CHECK(!is_root || (in[0] == sum_of_remote(1) && in[2] == sum_of_remote(1) + 2 * remote_size)), Reduce, out, in, N,
             MPI_INT, MPI_SUM, root);
        free(counts);
    }
    check_part("rooted");
}

static void all(void)
{
    int *const counts = malloc(4 * remote_size * sizeof *counts), *const displacements = counts + remote_size, *const send_counts = counts + 2 * remote_size,
              *const send_displacements = counts + 3 * remote_size, mine = own_rank % 3, *const own_counts = malloc(own_size * sizeof *own_counts);
    for (int i = 0; i < remote_size; i++)
        counts[i] = i % 3, displacements[i] = 2 * i;
    MPI_Barrier(inter);
    MPI_Request request;
    MPI_Ibarrier(inter, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    BOTH((fill(N, rank), clear(N * remote_size)), for (int i = 0; i < N * remote_size; i++) CHECK(in[i] == remote(i / N) + i % N), Allgather, out, N, MPI_INT,
         in, N, MPI_INT);
    BOTH((fill(N, rank), clear(N * remote_size)), for (int i = 0; i < 2 * remote_size; i++) CHECK(in[i] == (i % 2 < i / 2 % 3 ? remote(i / 2) + i % 2 : -1)),
         Allgatherv, out, mine, MPI_INT, in, counts, displacements, MPI_INT);
    BOTH((fill(N * remote_size, 100 * rank), clear(N * remote_size)),
         for (int i = 0; i < N * remote_size; i++) CHECK(in[i] == 100 * remote(i / N) + N * own_rank + i % N), Alltoall, out, N, MPI_INT, in, N, MPI_INT);
    /* One from each even rank to each odd one, two the other way. */
    for (int i = 0; i < remote_size; i++) {
        send_counts[i] = 1 + is_odd, send_displacements[i] = 2 * i;
        counts[i] = 1 + !is_odd, displacements[i] = 2 * i;
    }
    BOTH((fill(2 * remote_size, 100 * rank), clear(2 * remote_size)),
         for (int i = 0; i < 2 * remote_size; i++) CHECK(in[i] == (i % 2 <= !is_odd ? 100 * remote(i / 2) + 2 * own_rank + i % 2 : -1)), Alltoallv, out,
         send_counts, send_displacements, MPI_INT, in, counts, displacements, MPI_INT);
    BOTH((fill(N, rank), clear(N)), CHECK(in[0] == sum_of_remote(1) && in[1] == sum_of_remote(1) + remote_size), Allreduce, out, in, N, MPI_INT, MPI_SUM);
    /* Vectors of both groups have the same length: as many elements as there are ranks in both together, or twice as many. */
    const int even = (size + 1) / 2, odd = size / 2, total = even * odd;
    BOTH((fill(total, rank), clear(total / own_size)),
         for (int i = 0; i < remote_size; i++) CHECK(in[i] == sum_of_remote(1) + remote_size * (own_rank * (total / own_size) + i)),
         Reduce_scatter_block, out, in, total / own_size, MPI_INT, MPI_SUM);
    for (int i = 0; i < own_size; i++)
        own_counts[i] = i == 0 ? total : 0;
    BOTH((fill(total, rank), clear(total)), for (int i = 0; own_rank == 0 && i < total; i++) CHECK(in[i] == sum_of_remote(1) + remote_size * i), Reduce_scatter,
         out, in, own_counts, MPI_INT, MPI_SUM);
    free(counts);
    free(own_counts);
    check_part("all");
}

/* The first of both that is not 0: it does not commute. */
static void first_of(void *in, void *inout, int *count, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *count; i++)
        if (((int *)in)[i])
            ((int *)inout)[i] = ((int *)in)[i];
}

static void own_operations(void)
{
    MPI_Op op;
    MPI_Op_create(first_of, 0, &op);
    for (int group = 0; group < 2; group++) {
        const int root = group == is_odd ? own_rank == 0 ? MPI_ROOT : MPI_PROC_NULL : 0;
        BOTH((fill(N, 10 + rank), clear(N)), CHECK(root != MPI_ROOT || (in[0] == 10 + remote(0) && in[2] == 12 + remote(0))), Reduce, out, in, N, MPI_INT, op,
             root);
    }
    BOTH((fill(N, 10 + rank), clear(N)), CHECK(in[0] == 10 + remote(0) && in[2] == 12 + remote(0)), Allreduce, out, in, N, MPI_INT, op);
    const int total = (size + 1) / 2 * (size / 2);
    BOTH((fill(total, 10 + rank), clear(total / own_size)), for (int i = 0; i < remote_size; i++) CHECK(in[i] == 10 + remote(0) + own_rank * (total / own_size) + i),
         Reduce_scatter_block, out, in, total / own_size, MPI_INT, op);
    MPI_Op_free(&op);
    check_part("own operations");
}

static void made_of_them(void)
{
    MPI_Comm copy, half, both, pairs;
    MPI_Group group;
    MPI_Request request;
    int result, n, flag, sum;
    MPI_Comm_dup(inter, &copy);
    MPI_Comm_compare(inter, copy, &result);
    CHECK(result == MPI_CONGRUENT);
    MPI_Comm_free(&copy);
    MPI_Comm_idup(inter, &copy, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, copy);
    CHECK(sum == sum_of_remote(1));
    MPI_Comm_free(&copy);
    /* The first of each group. */
    MPI_Comm_group(inter, &group);
    MPI_Group first;
    MPI_Group_incl(group, 1, (int[]){0}, &first);
    MPI_Comm_create(inter, first, &half);
    CHECK((half != MPI_COMM_NULL) == (own_rank == 0));
    if (half != MPI_COMM_NULL) {
        MPI_Comm_remote_size(half, &n);
        CHECK(n == 1);
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, half);
        CHECK(sum == remote(0));
        MPI_Comm_free(&half);
    }
    MPI_Group_free(&first);
    MPI_Group_free(&group);
    /* A color for each pair; who has none in the other group gets nothing. */
    MPI_Comm_split(inter, own_rank, 0, &pairs);
    CHECK((pairs != MPI_COMM_NULL) == (own_rank < remote_size));
    if (pairs != MPI_COMM_NULL) {
        MPI_Sendrecv(&rank, 1, MPI_INT, 0, 1, &n, 1, MPI_INT, 0, 1, pairs, MPI_STATUS_IGNORE);
        CHECK(n == remote(own_rank));
        MPI_Comm_free(&pairs);
    }
    MPI_Intercomm_merge(inter, !is_odd, &both);
    MPI_Comm_test_inter(both, &flag);
    CHECK(!flag);
    MPI_Comm_rank(both, &n);
    CHECK(n == (is_odd ? own_rank : size / 2 + own_rank));
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, both);
    CHECK(sum == size * (size - 1) / 2);
    MPI_Comm_free(&both);
    check_part("made of them");
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv);
    is_odd = rank % 2;
    const int room = N * size * size + N;
    out = malloc(room * sizeof *out);
    in = malloc(room * sizeof *in);
    /* One rank makes no two groups. */
    void (*const parts[])(void) = {make, messages, rooted, all, own_operations, made_of_them};
    const char *const names[] = {"made", "messages", "rooted", "all", "own operations", "made of them"};
    for (int i = 0; i < 6; i++) {
        if (size > 1)
            parts[i]();
        else
            check_part(names[i]);
    }
    if (size > 1) {
        MPI_Comm_free(&inter);
        MPI_Comm_free(&local);
    }
    free(out);
    free(in);
    return check_end();
}
