/* Collectives: each at once and with a request, in place where that is possible, on every basic type. */
#include <complex.h>
#include <stddef.h>
#include <stdint.h>

#include "check.h"

enum { N = 3 };

/* Runs `call`, with `request` in its nonblocking form, then tests until that is done. */
#define BOTH(name, check, prepare, ...)                       \
    do {                                                      \
        prepare;                                              \
        MPI_##name(__VA_ARGS__);                              \
        check;                                                \
        MPI_Request request_;                                 \
        int flag_ = 0;                                        \
        prepare;                                              \
        MPI_I##name##_(__VA_ARGS__, &request_);               \
        while (!flag_)                                        \
            MPI_Test(&request_, &flag_, MPI_STATUS_IGNORE);   \
        check;                                                \
    } while (0)
#define MPI_IBcast_ MPI_Ibcast
#define MPI_IGather_ MPI_Igather
#define MPI_IScatter_ MPI_Iscatter
#define MPI_IAllgather_ MPI_Iallgather
#define MPI_IAlltoall_ MPI_Ialltoall
#define MPI_IGatherv_ MPI_Igatherv
#define MPI_IScatterv_ MPI_Iscatterv
#define MPI_IAllgatherv_ MPI_Iallgatherv
#define MPI_IAlltoallv_ MPI_Ialltoallv
#define MPI_IAlltoallw_ MPI_Ialltoallw
#define MPI_IReduce_ MPI_Ireduce
#define MPI_IAllreduce_ MPI_Iallreduce
#define MPI_IScan_ MPI_Iscan
#define MPI_IExscan_ MPI_Iexscan
#define MPI_IReduce_scatter_ MPI_Ireduce_scatter
#define MPI_IReduce_scatter_block_ MPI_Ireduce_scatter_block

static int *out, *in, *counts, *places, *counts2, *places2;

static void fill(int *to, int n, int seed)
{
    for (int i = 0; i < n; i++)
        to[i] = seed * 1000 + i;
}
static void clear(void) { memset(in, 0xee, 4 * N * (size_t)size * 4); }
static int is(const int *from, int n, int seed, int first)
{
    for (int i = 0; i < n; i++)
        if (from[i] != seed * 1000 + first + i)
            return 0;
    return 1;
}

static void blocks(void)
{
    for (int root = 0; root < size; root += (size + 2) / 3) {
        BOTH(Bcast, CHECK(is(in, N, root, 0)), (clear(), fill(in, N, rank)), in, N, MPI_INT, root, MPI_COMM_WORLD);
        BOTH(
            Gather, for (int i = 0; rank == root && i < size; i++) CHECK(is(in + N * i, N, i, 0)), (clear(), fill(out, N, rank)), out, N, MPI_INT, in, N,
            MPI_INT, root, MPI_COMM_WORLD);
        BOTH(Scatter, CHECK(is(in, N, root, N * rank)), (clear(), fill(out, N * size, rank)), out, N, MPI_INT, in, N, MPI_INT, root, MPI_COMM_WORLD);
        /* In place at the root. */
        clear();
        fill(out, N, rank);
        fill(in + N * rank, N, rank);
        if (rank == root) {
            MPI_Gather(MPI_IN_PLACE, 0, MPI_INT, in, N, MPI_INT, root, MPI_COMM_WORLD);
            for (int i = 0; i < size; i++)
                CHECK(is(in + N * i, N, i, 0));
        } else
            MPI_Gather(out, N, MPI_INT, NULL, 0, MPI_INT, root, MPI_COMM_WORLD);
        fill(out, N * size, rank);
        if (rank == root)
            MPI_Scatter(out, N, MPI_INT, MPI_IN_PLACE, 0, MPI_INT, root, MPI_COMM_WORLD);
        else {
            MPI_Scatter(NULL, 0, MPI_INT, in, N, MPI_INT, root, MPI_COMM_WORLD);
            CHECK(is(in, N, root, N * rank));
        }
    }
    BOTH(
        Allgather, for (int i = 0; i < size; i++) CHECK(is(in + N * i, N, i, 0)), (clear(), fill(out, N, rank)), out, N, MPI_INT, in, N, MPI_INT,
        MPI_COMM_WORLD);
    BOTH(
        Allgather, for (int i = 0; i < size; i++) CHECK(is(in + N * i, N, i, 0)), (clear(), fill(in + N * rank, N, rank)), MPI_IN_PLACE, 0, MPI_INT, in, N,
        MPI_INT, MPI_COMM_WORLD);
    BOTH(
        Alltoall, for (int i = 0; i < size; i++) CHECK(is(in + N * i, N, i, N * rank)), (clear(), fill(out, N * size, rank)), out, N, MPI_INT, in, N, MPI_INT,
        MPI_COMM_WORLD);
    BOTH(
        Alltoall, for (int i = 0; i < size; i++) CHECK(is(in + N * i, N, i, N * rank)), (clear(), fill(in, N * size, rank)), MPI_IN_PLACE, 0, MPI_INT, in, N,
        MPI_INT, MPI_COMM_WORLD);
    /* Odd sizes, other types on the sides. */
    char bytes[3] = {(char)rank, 1, 2}, *all = malloc(3 * (size_t)size);
    MPI_Allgather(bytes, 3, MPI_CHAR, all, 3, MPI_BYTE, MPI_COMM_WORLD);
    for (int i = 0; i < size; i++)
        CHECK(all[3 * i] == (char)i && all[3 * i + 2] == 2);
    MPI_Bcast(all, 0, MPI_CHAR, 0, MPI_COMM_WORLD);
    free(all);
    check_part("blocks");
}

/* Rank r has r % 4 elements, with a gap of one after each block. */
static void vectors(void)
{
    int at = 0;
    for (int i = 0; i < size; i++) {
        counts[i] = i % 4;
        places[i] = at;
        at += counts[i] + 1;
    }
    const int own = rank % 4;
    for (int root = 0; root < size; root += (size + 1) / 2) {
        BOTH(
            Gatherv, for (int i = 0; rank == root && i < size; i++) CHECK(is(in + places[i], counts[i], i, 0) && in[places[i] + counts[i]] == (int)0xeeeeeeee),
            (clear(), fill(out, own, rank)), out, own, MPI_INT, in, counts, places, MPI_INT, root, MPI_COMM_WORLD);
        BOTH(Scatterv, CHECK(is(in, own, root, places[rank]) && in[own] == (int)0xeeeeeeee), (clear(), fill(out, at, rank)), out, counts, places, MPI_INT,
             in, own, MPI_INT, root, MPI_COMM_WORLD);
    }
    BOTH(
        Allgatherv, for (int i = 0; i < size; i++) CHECK(is(in + places[i], counts[i], i, 0) && in[places[i] + counts[i]] == (int)0xeeeeeeee),
        (clear(), fill(out, own, rank)), out, own, MPI_INT, in, counts, places, MPI_INT, MPI_COMM_WORLD);
    BOTH(
        Allgatherv, for (int i = 0; i < size; i++) CHECK(is(in + places[i], counts[i], i, 0)), (clear(), fill(in + places[rank], own, rank)), MPI_IN_PLACE, 0,
        MPI_INT, in, counts, places, MPI_INT, MPI_COMM_WORLD);
    /* From i to j go (i + j) % 3 elements. */
    int to = 0;
    for (int i = 0; i < size; i++) {
        counts[i] = (rank + i) % 3;
        places[i] = to;
        to += counts[i];
        counts2[i] = counts[i];
        places2[i] = N * i;
    }
    BOTH(
        Alltoallv,
        for (int i = 0; i < size; i++) {
            int first = 0;
            for (int k = 0; k < rank; k++)
                first += (i + k) % 3;
            CHECK(is(in + N * i, counts2[i], i, first) && in[N * i + counts2[i]] == (int)0xeeeeeeee);
        },
        (clear(), fill(out, to, rank)), out, counts, places, MPI_INT, in, counts2, places2, MPI_INT, MPI_COMM_WORLD);
    BOTH(
        Alltoallv, for (int i = 0; i < size; i++) CHECK(is(in + N * i, counts2[i], i, N * rank)), (clear(), fill(in, N * size, rank)), MPI_IN_PLACE, NULL, NULL,
        MPI_INT, in, counts2, places2, MPI_INT, MPI_COMM_WORLD);
    MPI_Datatype *types = malloc((size_t)size * sizeof *types);
    for (int i = 0; i < size; i++) {
        types[i] = MPI_INT;
        places[i] *= 4;
        places2[i] *= 4;
    }
    BOTH(
        Alltoallw,
        for (int i = 0; i < size; i++) {
            int first = 0;
            for (int k = 0; k < rank; k++)
                first += (i + k) % 3;
            CHECK(is(in + N * i, counts2[i], i, first));
        },
        (clear(), fill(out, to, rank)), out, counts, places, types, in, counts2, places2, types, MPI_COMM_WORLD);
    free(types);
    check_part("vectors");
}

static int sum_to(int n, int i) { return n * (n + 1) / 2 + i * (n + 1); }

static void reductions(void)
{
    const int last = size - 1;
    for (int root = 0; root < size; root += (size + 1) / 2) {
        BOTH(
            Reduce, for (int i = 0; rank == root && i < N; i++) CHECK(in[i] == sum_to(last, i)),
            {
                clear();
                for (int i = 0; i < N; i++)
                    out[i] = rank + i;
            },
            out, in, N, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD);
        in[0] = out[0] = rank;
        if (rank == root)
            MPI_Reduce(MPI_IN_PLACE, in, 1, MPI_INT, MPI_MAX, root, MPI_COMM_WORLD);
        else
            MPI_Reduce(out, NULL, 1, MPI_INT, MPI_MAX, root, MPI_COMM_WORLD);
        CHECK(rank != root || in[0] == last);
    }
#define RANKS                        \
    {                                \
        clear();                     \
        for (int i = 0; i < N; i++)  \
            out[i] = in[i] = rank + i; \
    }
    BOTH(Allreduce, for (int i = 0; i < N; i++) CHECK(in[i] == sum_to(last, i)), RANKS, out, in, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    BOTH(Allreduce, for (int i = 0; i < N; i++) CHECK(in[i] == sum_to(last, i)), RANKS, MPI_IN_PLACE, in, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    BOTH(Scan, for (int i = 0; i < N; i++) CHECK(in[i] == sum_to(rank, i)), RANKS, out, in, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    BOTH(Scan, for (int i = 0; i < N; i++) CHECK(in[i] == sum_to(rank, i)), RANKS, MPI_IN_PLACE, in, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    BOTH(Exscan, for (int i = 0; rank > 0 && i < N; i++) CHECK(in[i] == sum_to(rank - 1, i)), RANKS, out, in, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
#define MANY                                \
    {                                       \
        clear();                            \
        for (int i = 0; i < N * size; i++)  \
            out[i] = in[i] = rank + i;      \
    }
    BOTH(Reduce_scatter_block, for (int i = 0; i < N; i++) CHECK(in[i] == sum_to(last, N * rank + i)), MANY, out, in, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    int at = 0;
    for (int i = 0; i < size; i++) {
        counts[i] = i % 4;
        if (i < rank)
            at += counts[i];
    }
    BOTH(Reduce_scatter, for (int i = 0; i < rank % 4; i++) CHECK(in[i] == sum_to(last, at + i)), MANY, out, in, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    check_part("reductions");
}

/* Every operation on every type for which it is defined, compared with the same loop here. */
#define TRY(type, name, op, expression)                                                              \
    do {                                                                                             \
        type a = (type)3, b, mine = (type)((rank * 7 + 3) % 11), got = 0;                            \
        for (int r = 1; r < size; r++) {                                                             \
            b = (type)((r * 7 + 3) % 11);                                                            \
            a = (type)(expression);                                                                  \
        }                                                                                            \
        MPI_Allreduce(&mine, &got, 1, name, op, MPI_COMM_WORLD);                                     \
        CHECK(got == a);                                                                             \
    } while (0)
#define INTEGER(type, name)                       \
    TRY(type, name, MPI_SUM, a + b);              \
    TRY(type, name, MPI_PROD, a * b);             \
    TRY(type, name, MPI_MAX, a > b ? a : b);      \
    TRY(type, name, MPI_MIN, a < b ? a : b);      \
    TRY(type, name, MPI_LAND, a && b);            \
    TRY(type, name, MPI_LOR, a || b);             \
    TRY(type, name, MPI_LXOR, !a != !b);          \
    TRY(type, name, MPI_BAND, a &b);              \
    TRY(type, name, MPI_BOR, a | b);              \
    TRY(type, name, MPI_BXOR, a ^ b)
#define FLOATING(type, name)                 \
    TRY(type, name, MPI_SUM, a + b);         \
    TRY(type, name, MPI_PROD, a * b);        \
    TRY(type, name, MPI_MAX, a > b ? a : b); \
    TRY(type, name, MPI_MIN, a < b ? a : b)
#define LOCATION(type, name)                                                                   \
    do {                                                                                       \
        struct {                                                                               \
            type value;                                                                        \
            int index;                                                                         \
        } mine = {(type)(rank % 5), rank}, least, most;                                        \
        MPI_Allreduce(&mine, &least, 1, name, MPI_MINLOC, MPI_COMM_WORLD);                     \
        MPI_Allreduce(&mine, &most, 1, name, MPI_MAXLOC, MPI_COMM_WORLD);                      \
        CHECK(least.value == 0 && least.index == 0);                                           \
        CHECK(most.value == (type)(size < 5 ? size - 1 : 4) && most.index == (size < 5 ? size - 1 : 4)); \
    } while (0)

static void types(void)
{
    INTEGER(signed char, MPI_SIGNED_CHAR);
    INTEGER(unsigned char, MPI_UNSIGNED_CHAR);
    INTEGER(short, MPI_SHORT);
    INTEGER(unsigned short, MPI_UNSIGNED_SHORT);
    INTEGER(unsigned, MPI_UNSIGNED);
    INTEGER(unsigned long, MPI_UNSIGNED_LONG);
    INTEGER(unsigned long long, MPI_UNSIGNED_LONG_LONG);
    INTEGER(int8_t, MPI_INT8_T);
    INTEGER(int16_t, MPI_INT16_T);
    INTEGER(uint8_t, MPI_UINT8_T);
    INTEGER(uint16_t, MPI_UINT16_T);
    INTEGER(uint32_t, MPI_UINT32_T);
    INTEGER(uint64_t, MPI_UINT64_T);
    TRY(int, MPI_INT, MPI_MIN, a < b ? a : b);
    TRY(long, MPI_LONG, MPI_MAX, a > b ? a : b);
    TRY(long long, MPI_LONG_LONG, MPI_SUM, a + b);
    TRY(int32_t, MPI_INT32_T, MPI_SUM, a + b);
    TRY(int64_t, MPI_INT64_T, MPI_SUM, a + b);
    TRY(MPI_Aint, MPI_AINT, MPI_SUM, a + b);
    TRY(MPI_Offset, MPI_OFFSET, MPI_MAX, a > b ? a : b);
    TRY(MPI_Count, MPI_COUNT, MPI_MAX, a > b ? a : b);
    TRY(_Bool, MPI_C_BOOL, MPI_LAND, a && b);
    TRY(_Bool, MPI_C_BOOL, MPI_LOR, a || b);
    TRY(unsigned char, MPI_BYTE, MPI_BOR, a | b);
    FLOATING(float, MPI_FLOAT);
    FLOATING(double, MPI_DOUBLE);
    FLOATING(long double, MPI_LONG_DOUBLE);
    TRY(float complex, MPI_C_FLOAT_COMPLEX, MPI_SUM, a + b);
    TRY(double complex, MPI_C_DOUBLE_COMPLEX, MPI_SUM, a + b);
    double complex turn = I, got;
    MPI_Allreduce(&turn, &got, 1, MPI_C_DOUBLE_COMPLEX, MPI_PROD, MPI_COMM_WORLD);
    static const double re[] = {1, 0, -1, 0}, im[] = {0, 1, 0, -1};
    CHECK(creal(got) == re[size % 4] && cimag(got) == im[size % 4]);
    LOCATION(float, MPI_FLOAT_INT);
    LOCATION(double, MPI_DOUBLE_INT);
    LOCATION(long, MPI_LONG_INT);
    LOCATION(int, MPI_2INT);
    LOCATION(short, MPI_SHORT_INT);
    LOCATION(long double, MPI_LONG_DOUBLE_INT);
    check_part("types");
}

/* Several at once, ended in another order. */
static void overlapping(void)
{
    MPI_Request requests[4];
    int a = rank, b = -1, sum = -1, max = -1;
    if (rank == 0)
        b = 77;
    MPI_Iallreduce(&a, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, requests);
    MPI_Ibcast(&b, 1, MPI_INT, 0, MPI_COMM_WORLD, requests + 1);
    MPI_Iallreduce(&a, &max, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD, requests + 2);
    MPI_Ibarrier(MPI_COMM_WORLD, requests + 3);
    int flag;
    int passed = rank;
    MPI_Send(&passed, 1, MPI_INT, (rank + 1) % size, 1, MPI_COMM_WORLD);
    MPI_Recv(&passed, 1, MPI_INT, (rank + size - 1) % size, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(requests + 3, MPI_STATUS_IGNORE);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    CHECK(sum == size * (size - 1) / 2 && b == 77 && max == size - 1);
    MPI_Ibarrier(MPI_COMM_SELF, requests);
    do
        MPI_Test(requests, &flag, MPI_STATUS_IGNORE);
    while (!flag);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
    CHECK(sum == rank);
    check_part("overlapping");
}

static int class_of(int code)
{
    int class;
    MPI_Error_class(code, &class);
    return class;
}

static void errors(void)
{
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    int a = 0, b;
    CHECK(class_of(MPI_Bcast(&a, 1, MPI_INT, size, MPI_COMM_WORLD)) == MPI_ERR_ROOT);
    CHECK(class_of(MPI_Bcast(&a, -1, MPI_INT, 0, MPI_COMM_WORLD)) == MPI_ERR_COUNT);
    CHECK(class_of(MPI_Reduce(&a, &b, 1, MPI_INT, MPI_SUM, -1, MPI_COMM_WORLD)) == MPI_ERR_ROOT);
    CHECK(class_of(MPI_Allreduce(&a, &b, 1, MPI_INT, MPI_OP_NULL, MPI_COMM_WORLD)) == MPI_ERR_OP);
    const int class = class_of(MPI_Allreduce(&a, &b, 1, MPI_DATATYPE_NULL, MPI_SUM, MPI_COMM_WORLD));
    CHECK(class == MPI_ERR_TYPE || class == MPI_ERR_OP);
    CHECK(class_of(MPI_Barrier(MPI_COMM_NULL)) == MPI_ERR_COMM);
    double x = 1, y;
    CHECK(class_of(MPI_Allreduce(&x, &y, 1, MPI_DOUBLE, MPI_BAND, MPI_COMM_WORLD)) == MPI_ERR_OP);
#ifndef OPEN_MPI /* more than the standard asks for */
    CHECK(MPI_Allreduce(&x, &y, 1, MPI_DOUBLE, MPI_LXOR, MPI_COMM_WORLD) == MPI_SUCCESS && y == (x != 0 ? size % 2 : 0));
#endif
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    check_part("errors");
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv);
    out = malloc(4 * N * (size_t)size * 4);
    in = malloc(4 * N * (size_t)size * 4);
    counts = malloc((size_t)size * 4);
    places = malloc((size_t)size * 4);
    counts2 = malloc((size_t)size * 4);
    places2 = malloc((size_t)size * 4);
    blocks();
    vectors();
    reductions();
    types();
    overlapping();
    errors();
    return check_end();
}
