/* Operations of the program: in every reduction, at once and with requests, whether they commute or not, on derived types. */
#include "check.h"

/* 2 by 2 matrices, whose product does not commute. */
struct matrix {
    unsigned a, b, c, d;
};

static struct matrix times(struct matrix x, struct matrix y)
{
    return (struct matrix){x.a * y.a + x.b * y.c, x.a * y.b + x.b * y.d, x.c * y.a + x.d * y.c, x.c * y.b + x.d * y.d};
}

static void product(void *in, void *inout, int *count, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *count; i++)
        ((struct matrix *)inout)[i] = times(((struct matrix *)in)[i], ((struct matrix *)inout)[i]);
}

/* Ints with gaps between them: the gaps stay as they are. */
static void sum_of_spread(void *in, void *inout, int *count, MPI_Datatype *type)
{
    MPI_Aint lb, extent;
    MPI_Type_get_extent(*type, &lb, &extent);
    for (int i = 0; i < *count; i++)
        for (int k = 0; k < 3; k++)
            *(int *)((char *)inout + i * extent + 8 * k) += *(int *)((char *)in + i * extent + 8 * k);
}

static MPI_Datatype matrices, spread;
static MPI_Op multiply, add;

static struct matrix of(int r, int i) { return (struct matrix){1 + (unsigned)r, (unsigned)i, 3, 5 + (unsigned)(r * i)}; }

static struct matrix all(int first, int end, int i)
{
    struct matrix m = {1, 0, 0, 1};
    for (int r = first; r < end; r++)
        m = times(m, of(r, i));
    return m;
}

static int same(struct matrix x, struct matrix y) { return memcmp(&x, &y, sizeof x) == 0; }

enum { N = 3 };
static struct matrix out[N], in[N];

static void prepare(void)
{
    for (int i = 0; i < N; i++)
        out[i] = of(rank, i);
    memset(in, 0x77, sizeof in);
}

#define BOTH(check, name, ...)                  \
    do {                                        \
        MPI_Request request_;                   \
        prepare();                              \
        MPI_##name(__VA_ARGS__);                \
        for (int i = 0; i < N; i++)             \
            CHECK(check);                       \
        prepare();                              \
        BEGIN_##name(__VA_ARGS__, &request_);   \
        MPI_Wait(&request_, MPI_STATUS_IGNORE); \
        for (int i = 0; i < N; i++)             \
            CHECK(check);                       \
    } while (0)
#define BEGIN_Reduce MPI_Ireduce
#define BEGIN_Allreduce MPI_Iallreduce
#define BEGIN_Scan MPI_Iscan
#define BEGIN_Exscan MPI_Iexscan

static void ordered(void)
{
    for (int root = 0; root < size; root += (size + 2) / 3)
        BOTH(rank != root || same(in[i], all(0, size, i)), Reduce, out, in, N, matrices, multiply, root, MPI_COMM_WORLD);
    BOTH(same(in[i], all(0, size, i)), Allreduce, out, in, N, matrices, multiply, MPI_COMM_WORLD);
    BOTH(same(in[i], all(0, rank + 1, i)), Scan, out, in, N, matrices, multiply, MPI_COMM_WORLD);
    BOTH(rank == 0 || same(in[i], all(0, rank, i)), Exscan, out, in, N, matrices, multiply, MPI_COMM_WORLD);
    prepare();
    MPI_Allreduce(MPI_IN_PLACE, out, N, matrices, multiply, MPI_COMM_WORLD);
    for (int i = 0; i < N; i++)
        CHECK(same(out[i], all(0, size, i)));
    MPI_Allreduce(out, in, 0, matrices, multiply, MPI_COMM_WORLD);
    check_part("ordered");
}

static void scattered(void)
{
    struct matrix *const vector = malloc(2 * size * sizeof *vector);
    int *const counts = malloc(size * sizeof *counts), begin = 0;
    MPI_Request request;
    for (int i = 0; i < 2 * size; i++)
        vector[i] = of(rank, i);
    MPI_Reduce_scatter_block(vector, in, 2, matrices, multiply, MPI_COMM_WORLD);
    CHECK(same(in[0], all(0, size, 2 * rank)) && same(in[1], all(0, size, 2 * rank + 1)));
    for (int i = 0; i < size; i++)
        counts[i] = i % 3;
    for (int i = 0; i < rank; i++)
        begin += i % 3;
    memset(in, 0x77, sizeof in);
    MPI_Ireduce_scatter(vector, in, counts, matrices, multiply, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 0; i < 2; i++)
        CHECK(i < rank % 3 ? same(in[i], all(0, size, begin + i)) : in[i].a == 0x77777777);
    free(vector);
    free(counts);
    check_part("scattered");
}

/* Several at once, their types and operations freed, while the PE waits for other things. */
static void overlapping(void)
{
    enum { SOME = 4 };
    MPI_Request requests[SOME];
    int sums[SOME][12], values[SOME][12], got = -1, flag = 0;
    for (int k = 0; k < SOME; k++) {
        for (int i = 0; i < 12; i++)
            values[k][i] = rank + k * 100 + i, sums[k][i] = -1;
        MPI_Iallreduce(values[k], sums[k], 2, spread, add, MPI_COMM_WORLD, requests + k);
    }
    MPI_Op_free(&add);
    MPI_Type_free(&spread);
    CHECK(add == MPI_OP_NULL && spread == MPI_DATATYPE_NULL);
    /* Rank 0 is the last that can go on with them, and waits for messages that come after the others have their results. */
    if (rank == 0) {
        for (int r = 1; r < size; r++)
            MPI_Recv(&got, 1, MPI_INT, r, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Barrier(MPI_COMM_WORLD);
    } else {
        int index;
        MPI_Waitany(SOME, requests, &index, MPI_STATUS_IGNORE);
        CHECK(index >= 0 && index < SOME);
        MPI_Send(&rank, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    while (!flag)
        MPI_Testall(SOME, requests, &flag, MPI_STATUSES_IGNORE);
    for (int k = 0; k < SOME; k++)
        for (int i = 0; i < 12; i++) {
            /* Elements are 6 ints apart, and have every other one. */
            const int is_data = i % 6 % 2 == 0;
            CHECK(sums[k][i] == (is_data ? size * (k * 100 + i) + size * (size - 1) / 2 : -1));
        }
    check_part("overlapping");
}

static void local(void)
{
    int x[] = {1, 2, 3}, y[] = {10, 20, 30}, commutes, class;
    struct matrix m[2] = {of(1, 1), of(2, 2)}, n[2] = {of(3, 3), of(4, 4)};
    MPI_Reduce_local(x, y, 3, MPI_INT, MPI_SUM);
    CHECK(y[0] == 11 && y[1] == 22 && y[2] == 33);
    MPI_Reduce_local(m, n, 2, matrices, multiply);
    CHECK(same(n[0], times(of(1, 1), of(3, 3))) && same(n[1], times(of(2, 2), of(4, 4))));
    MPI_Op_commutative(multiply, &commutes);
    CHECK(!commutes);
    MPI_Op_commutative(MPI_MAX, &commutes);
    CHECK(commutes);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Error_class(MPI_Allreduce(x, y, 1, MPI_INT, MPI_OP_NULL, MPI_COMM_WORLD), &class);
    CHECK(class == MPI_ERR_OP);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    check_part("local");
}

static void sum_of_ints(void *in, void *inout, int *count, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *count; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

/* Something that goes on, and what comes of it. */
struct work {
    int kind, number, value[2], result[2];
};

static void begin_work(struct work *w, int kind, int number, MPI_Comm comm, MPI_Op sum, MPI_Request *request)
{
    *w = (struct work){kind, number, {rank, number}, {-1, -1}};
    if (kind == 0)
        MPI_Ibarrier(comm, request);
    else if (kind == 1)
        MPI_Iallreduce(w->value, w->result, 2, MPI_INT, MPI_SUM, comm, request);
    else if (kind == 2 && rank % 2 == 0)
        MPI_Isend(w->value, 2, MPI_INT, rank + 1 < size ? rank + 1 : MPI_PROC_NULL, number, comm, request);
    else if (kind == 2)
        MPI_Irecv(w->result, 2, MPI_INT, rank - 1, number, comm, request);
    else if (kind == 3)
        MPI_Iallreduce(w->value, w->result, 2, MPI_INT, sum, comm, request);
    else
        MPI_Ireduce(w->value, w->result, 2, MPI_INT, sum, number % size, comm, request);
}

static void check_work(const struct work *w)
{
    if (w->kind == 2 && rank % 2)
        CHECK(w->result[0] == rank - 1 && w->result[1] == w->number);
    else if (w->kind == 1 || w->kind == 3 || (w->kind > 3 && rank == w->number % size))
        CHECK(w->result[0] == size * (size - 1) / 2 && w->result[1] == size * w->number);
}

/* Reductions with own operations among collectives and messages that the engine does, ended in changing order: messages of one end while a rank
 * waits for another, and the engine gives their numbers again. $CROWD: how many, where a device takes long for that. */
static void crowd(void)
{
    enum { AT_ONCE = 20 };
    const char *const chosen = getenv("CROWD");
    const int all = chosen ? atoi(chosen) : 1500;
    struct work room[AT_ONCE], *works[AT_ONCE];
    MPI_Request requests[AT_ONCE];
    MPI_Comm comms[2];
    MPI_Op sum;
    /* What begins is alike on all ranks, how it is waited for is not. */
    unsigned shared = 12345, own = (unsigned)rank + 1;
    int done, indices[AT_ONCE], count = 0;
    MPI_Comm_dup(MPI_COMM_WORLD, comms);
    MPI_Comm_dup(MPI_COMM_WORLD, comms + 1);
    MPI_Op_create(sum_of_ints, 1, &sum);
    for (int i = 0; i < AT_ONCE; i++)
        works[i] = room + i;
    for (int number = 0; number < all || count > 0;) {
        while (count < AT_ONCE && number < all) {
            shared = shared * 1103515245 + 12345;
            begin_work(works[count], (int)(shared >> 16 & 7), number, comms[shared >> 20 & 1], sum, requests + count);
            count++, number++;
        }
        own = own * 1103515245 + 12345;
        switch (own >> 16 & 3) {
        case 0:
            MPI_Waitall(done = count, requests, MPI_STATUSES_IGNORE);
            break;
        case 1:
            MPI_Waitany(count, requests, indices, MPI_STATUS_IGNORE);
            done = 1;
            break;
        case 2:
            MPI_Testsome(count, requests, &done, indices, MPI_STATUSES_IGNORE);
            break;
        default:
            MPI_Waitsome(count, requests, &done, indices, MPI_STATUSES_IGNORE);
        }
        /* Those that go on stay; the others' requests are null now. */
        int left = 0;
        for (int i = 0; i < count; i++)
            if (requests[i] == MPI_REQUEST_NULL) {
                check_work(works[i]);
            } else {
                struct work *const done_before = works[left];
                works[left] = works[i];
                works[i] = done_before;
                requests[left++] = requests[i];
            }
        CHECK(left + done == count);
        count = left;
    }
    MPI_Op_free(&sum);
    MPI_Comm_free(comms);
    MPI_Comm_free(comms + 1);
    check_part("crowd");
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv);
    MPI_Type_contiguous(4, MPI_UNSIGNED, &matrices);
    MPI_Type_commit(&matrices);
    MPI_Datatype gaps;
    MPI_Type_vector(3, 1, 2, MPI_INT, &gaps);
    MPI_Type_create_resized(gaps, 0, 24, &spread);
    MPI_Type_free(&gaps);
    MPI_Type_commit(&spread);
    MPI_Op_create(product, 0, &multiply);
    MPI_Op_create(sum_of_spread, 1, &add);
    ordered();
    scattered();
    overlapping();
    local();
    crowd();
    MPI_Op_free(&multiply);
    MPI_Type_free(&matrices);
    return check_end();
}
