/* Derived types: their sizes and bounds, packing, and every way of sending them. */
#include <stddef.h>

#include "check.h"

static void bounds_are(MPI_Datatype type, int size_, MPI_Aint lb, MPI_Aint extent, MPI_Aint true_lb, MPI_Aint true_extent)
{
    int size;
    MPI_Aint is_lb, is_extent;
    MPI_Count wide;
    MPI_Type_size(type, &size);
    CHECK(size == size_);
    MPI_Type_size_x(type, &wide);
    CHECK(wide == size_);
    MPI_Type_get_extent(type, &is_lb, &is_extent);
    CHECK(is_lb == lb && is_extent == extent);
    MPI_Type_get_true_extent(type, &is_lb, &is_extent);
    CHECK(is_lb == true_lb && is_extent == true_extent);
}

/* The ints of `type` at `buffer`, whose ints count up from 0, are those of the list. */
static void ints_are(MPI_Datatype type, int count, int shift, const int *expected, int n)
{
    int buffer[200], packed[200], position = 0, size;
    for (int i = 0; i < 200; i++)
        buffer[i] = i;
    MPI_Pack_size(count, type, MPI_COMM_WORLD, &size);
    CHECK(size >= n * 4 && size <= (int)sizeof packed);
    MPI_Pack(buffer + shift, count, type, packed, sizeof packed, &position, MPI_COMM_WORLD);
    CHECK(position == n * 4 && memcmp(packed, expected, n * 4) == 0);
    int back[200];
    memset(back, 0xff, sizeof back);
    position = 0;
    MPI_Unpack(packed, n * 4, &position, back + shift, count, type, MPI_COMM_WORLD);
    CHECK(position == n * 4);
    int found = 0;
    for (int i = 0; i < 200; i++) {
        int is_there = 0;
        for (int k = 0; k < n; k++)
            is_there |= expected[k] == i;
        CHECK(back[i] == (is_there ? i : -1));
        found += is_there;
    }
    CHECK(found == n);
}
#define INTS_ARE(type, count, shift, ...)                                         \
    do {                                                                          \
        const int list_[] = {__VA_ARGS__};                                        \
        ints_are(type, count, shift, list_, (int)(sizeof list_ / sizeof *list_)); \
    } while (0)

static void maps(void)
{
    MPI_Datatype a, b, c;
    MPI_Type_contiguous(3, MPI_INT, &a);
    MPI_Type_commit(&a);
    bounds_are(a, 12, 0, 12, 0, 12);
    INTS_ARE(a, 2, 1, 1, 2, 3, 4, 5, 6);
    MPI_Type_vector(2, 2, 5, a, &b);
    MPI_Type_commit(&b);
    bounds_are(b, 48, 0, 84, 0, 84);
    INTS_ARE(b, 1, 0, 0, 1, 2, 3, 4, 5, 15, 16, 17, 18, 19, 20);
    MPI_Type_free(&a);
    MPI_Type_vector(3, 1, -2, MPI_INT, &a);
    MPI_Type_commit(&a);
    bounds_are(a, 12, -16, 20, -16, 20);
    INTS_ARE(a, 2, 10, 10, 8, 6, 15, 13, 11);
    MPI_Type_free(&a);
    MPI_Type_create_hvector(3, 1, 8, MPI_INT, &a);
    MPI_Type_create_resized(a, -4, 28, &c);
    MPI_Type_commit(&c);
    bounds_are(c, 12, -4, 28, 0, 20);
    INTS_ARE(c, 2, 1, 1, 3, 5, 8, 10, 12);
    MPI_Type_free(&a);
    MPI_Type_free(&b);
    MPI_Type_free(&c);
    MPI_Type_indexed(4, (int[]){2, 0, 1, 3}, (int[]){4, 100, 1, 7}, MPI_INT, &a);
    MPI_Type_commit(&a);
    bounds_are(a, 24, 4, 36, 4, 36);
    INTS_ARE(a, 2, 0, 4, 5, 1, 7, 8, 9, 13, 14, 10, 16, 17, 18);
    MPI_Type_free(&a);
    MPI_Type_create_hindexed(2, (int[]){1, 2}, (MPI_Aint[]){40, 8}, MPI_INT, &a);
    MPI_Type_commit(&a);
    INTS_ARE(a, 1, 0, 10, 2, 3);
    MPI_Type_free(&a);
    MPI_Type_create_indexed_block(3, 2, (int[]){0, 4, 8}, MPI_INT, &a);
    MPI_Type_create_hindexed_block(2, 1, (MPI_Aint[]){60, 4}, a, &b);
    MPI_Type_commit(&b);
    INTS_ARE(b, 1, 0, 15, 16, 19, 20, 23, 24, 1, 2, 5, 6, 9, 10);
    MPI_Type_free(&a);
    MPI_Type_free(&b);
    /* Boxes, in both orders: rows 1-2, columns 2-4 of 4 by 6. */
    MPI_Type_create_subarray(2, (int[]){4, 6}, (int[]){2, 3}, (int[]){1, 2}, MPI_ORDER_C, MPI_INT, &a);
    MPI_Type_commit(&a);
    bounds_are(a, 24, 0, 96, 32, 36);
    INTS_ARE(a, 2, 0, 8, 9, 10, 14, 15, 16, 32, 33, 34, 38, 39, 40);
    MPI_Type_free(&a);
    MPI_Type_create_subarray(3, (int[]){2, 3, 4}, (int[]){1, 2, 2}, (int[]){1, 0, 2}, MPI_ORDER_FORTRAN, MPI_INT, &a);
    MPI_Type_commit(&a);
    INTS_ARE(a, 1, 0, 13, 15, 19, 21);
    MPI_Type_free(&a);
    /* 7 by 5 elements, dealt to 2 by 2 processes: rows in blocks, columns in twos by turns. */
    for (int i = 0; i < 2; i++) {
        MPI_Type_create_darray(4, 1 + 2 * i, 2, (int[]){7, 5}, (int[]){MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC},
                               (int[]){MPI_DISTRIBUTE_DFLT_DARG, 2}, (int[]){2, 2}, MPI_ORDER_C, MPI_INT, &a);
        MPI_Type_commit(&a);
        if (i == 0)
            INTS_ARE(a, 1, 0, 2, 3, 7, 8, 12, 13, 17, 18);
        else
            INTS_ARE(a, 1, 0, 22, 23, 27, 28, 32, 33);
        MPI_Type_free(&a);
    }
    check_part("maps");
}

struct mixed {
    char letter;
    double number;
    short small[3];
};

static MPI_Datatype mixed_type(void)
{
    MPI_Datatype plain, type;
    MPI_Type_create_struct(3, (int[]){1, 1, 3},
                           (MPI_Aint[]){offsetof(struct mixed, letter), offsetof(struct mixed, number), offsetof(struct mixed, small)},
                           (MPI_Datatype[]){MPI_CHAR, MPI_DOUBLE, MPI_SHORT}, &plain);
    MPI_Type_create_resized(plain, 0, sizeof(struct mixed), &type);
    MPI_Type_commit(&type);
    bounds_are(plain, 15, 0, sizeof(struct mixed), 0, 22);
    MPI_Type_free(&plain);
    return type;
}

static void contents(void)
{
    MPI_Datatype vector, type, types[2], same;
    int ni, na, nt, combiner, ints[8];
    MPI_Aint addresses[2];
    MPI_Type_vector(3, 2, 4, MPI_INT, &vector);
    MPI_Type_create_struct(2, (int[]){1, 2}, (MPI_Aint[]){0, 64}, (MPI_Datatype[]){vector, MPI_DOUBLE}, &type);
    MPI_Type_free(&vector);
    MPI_Type_get_envelope(type, &ni, &na, &nt, &combiner);
    CHECK(ni == 3 && na == 2 && nt == 2 && combiner == MPI_COMBINER_STRUCT);
    MPI_Type_get_contents(type, 8, 2, 2, ints, addresses, types);
    CHECK(ints[0] == 2 && ints[1] == 1 && ints[2] == 2 && addresses[0] == 0 && addresses[1] == 64 && types[1] == MPI_DOUBLE);
    MPI_Type_free(&type);
    MPI_Type_get_envelope(types[0], &ni, &na, &nt, &combiner);
    CHECK(ni == 3 && na == 0 && nt == 1 && combiner == MPI_COMBINER_VECTOR);
    MPI_Type_get_contents(types[0], 8, 2, 1, ints, addresses, &same);
    CHECK(ints[0] == 3 && ints[1] == 2 && ints[2] == 4 && same == MPI_INT);
    MPI_Type_dup(types[0], &same);
    MPI_Type_free(types);
    MPI_Type_get_envelope(same, &ni, &na, &nt, &combiner);
    CHECK(combiner == MPI_COMBINER_DUP && ni == 0 && nt == 1);
    MPI_Type_free(&same);
    MPI_Type_get_envelope(MPI_INT, &ni, &na, &nt, &combiner);
    CHECK(combiner == MPI_COMBINER_NAMED);
    check_part("contents");
}

/* To the next rank, from the one before. */
static void messages(void)
{
    const int next = (rank + 1) % size, before = (rank + size - 1) % size;
    enum { N = 6 };
    int matrix[N][N], column[N], count;
    MPI_Status status;
    MPI_Request requests[2];
    MPI_Datatype column_type, mixed = mixed_type();
    for (int i = 0; i < N * N; i++)
        matrix[i / N][i % N] = rank * 100 + i;
    MPI_Type_vector(N, 1, N, MPI_INT, &column_type);
    MPI_Type_commit(&column_type);
    MPI_Isend(&matrix[0][2], 1, column_type, next, 5, MPI_COMM_WORLD, requests);
    MPI_Recv(column, N, MPI_INT, before, 5, MPI_COMM_WORLD, &status);
    for (int i = 0; i < N; i++)
        CHECK(column[i] == before * 100 + i * N + 2);
    MPI_Get_count(&status, column_type, &count);
    CHECK(count == 1);
    MPI_Get_elements(&status, column_type, &count);
    CHECK(count == N);
    MPI_Wait(requests, MPI_STATUS_IGNORE);
    /* The type goes while it is used; less comes than there is room for. */
    MPI_Irecv(&matrix[0][1], 1, column_type, before, 6, MPI_COMM_WORLD, requests);
    MPI_Type_free(&column_type);
    MPI_Send(column, 3, MPI_INT, next, 6, MPI_COMM_WORLD);
    MPI_Wait(requests, &status);
    const int sent_by = (before + size - 1) % size;
    for (int i = 0; i < N; i++)
        CHECK(matrix[i][1] == (i < 3 ? sent_by * 100 + i * N + 2 : rank * 100 + i * N + 1));
    /* Structures: whole ones, and a part of one. */
    struct mixed out[3], in[3];
    memset(in, 0x55, sizeof in);
    for (int i = 0; i < 3; i++)
        out[i] = (struct mixed){(char)('a' + i), rank + i / 4.0, {(short)rank, (short)i, -1}};
    MPI_Sendrecv(out, 3, mixed, next, 7, in, 3, mixed, before, 7, MPI_COMM_WORLD, &status);
    for (int i = 0; i < 3; i++)
        CHECK(in[i].letter == 'a' + i && in[i].number == before + i / 4.0 && in[i].small[0] == (short)before && in[i].small[1] == i &&
              in[i].small[2] == -1);
    MPI_Get_elements(&status, mixed, &count);
    CHECK(count == 15);
    MPI_Datatype parts;
    MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){offsetof(struct mixed, letter), offsetof(struct mixed, number)},
                           (MPI_Datatype[]){MPI_CHAR, MPI_DOUBLE}, &parts);
    MPI_Type_commit(&parts);
    MPI_Sendrecv(out, 1, parts, next, 8, in, 3, mixed, before, 8, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, mixed, &count);
    CHECK(count == MPI_UNDEFINED);
    MPI_Get_elements(&status, mixed, &count);
    CHECK(count == 2);
    MPI_Type_free(&parts);
    /* Absolute addresses; persistent requests. */
    MPI_Datatype absolute;
    MPI_Aint places[2];
    int first = rank, second[2] = {rank + 1, rank + 2}, got[3];
    MPI_Get_address(&first, places);
    MPI_Get_address(second, places + 1);
    CHECK(MPI_Aint_add(places[0], MPI_Aint_diff(places[1], places[0])) == places[1]);
    MPI_Type_create_hindexed(2, (int[]){1, 2}, places, MPI_INT, &absolute);
    MPI_Type_commit(&absolute);
    MPI_Send_init(MPI_BOTTOM, 1, absolute, next, 9, MPI_COMM_WORLD, requests);
    MPI_Recv_init(got, 3, MPI_INT, before, 9, MPI_COMM_WORLD, requests + 1);
    MPI_Type_free(&absolute);
    for (int i = 0; i < 3; i++, first += 10) {
        MPI_Startall(2, requests);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        CHECK(got[0] == before + 10 * i && got[1] == before + 1 && got[2] == before + 2);
    }
    MPI_Request_free(requests);
    MPI_Request_free(requests + 1);
    /* Truncation: what fits has come. */
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    int value[4] = {1, 2, 3, 4}, error;
    MPI_Datatype spread;
    MPI_Type_vector(2, 1, 2, MPI_INT, &spread);
    MPI_Type_commit(&spread);
    MPI_Isend(value, 4, MPI_INT, next, 10, MPI_COMM_WORLD, requests);
    MPI_Error_class(MPI_Recv(got, 1, spread, before, 10, MPI_COMM_WORLD, MPI_STATUS_IGNORE), &error);
    CHECK(error == MPI_ERR_TRUNCATE);
    MPI_Wait(requests, MPI_STATUS_IGNORE);
    MPI_Type_free(&spread);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Type_free(&mixed);
    check_part("messages");
}

enum { BLOCK = 3 };
#define OUT(from, to, i) ((from)*10000 + (to)*10 + (i))

/* Blocks of BLOCK ints, each int followed by a gap; blocks `size` of them. */
static void collectives(void)
{
    MPI_Datatype gaps, gapped;
    MPI_Type_vector(BLOCK, 1, 2, MPI_INT, &gapped);
    MPI_Type_create_resized(gapped, 0, 2 * BLOCK * sizeof(int), &gaps);
    MPI_Type_free(&gapped);
    MPI_Type_commit(&gaps);
    const int n = 2 * BLOCK * size, root = size / 2;
    int *out = malloc(n * sizeof *out), *in = malloc(n * sizeof *in), *plain = malloc(n * sizeof *plain);
    int *counts = malloc(size * sizeof *counts), *places = malloc(size * sizeof *places);
#define EACH                       \
    for (int r = 0; r < size; r++) \
        for (int i = 0; i < BLOCK; i++)
#define AT(array, r, i) array[2 * BLOCK * (r) + 2 * (i)]
#define CLEAR(array) memset(array, 0xff, n * sizeof *array)
    CLEAR(out);
    EACH AT(out, r, i) = OUT(rank, r, i);
    CLEAR(in);
    MPI_Alltoall(out, 1, gaps, in, 1, gaps, MPI_COMM_WORLD);
    EACH CHECK(AT(in, r, i) == OUT(r, rank, i) && AT(in, r, i + 0 * r) != -1 && in[2 * BLOCK * r + 2 * i + 1] == -1);
    MPI_Alltoall(MPI_IN_PLACE, 0, MPI_INT, in, 1, gaps, MPI_COMM_WORLD);
    EACH CHECK(AT(in, r, i) == OUT(rank, r, i));
    CLEAR(in);
    MPI_Gather(out, BLOCK, MPI_INT, in, 1, gaps, root, MPI_COMM_WORLD);
    if (rank == root)
        EACH CHECK(AT(in, r, i) == (i % 2 ? -1 : OUT(r, 0, i / 2)));
    CLEAR(in);
    AT(in, rank, 0) = rank, AT(in, rank, 1) = rank + 1, AT(in, rank, 2) = rank + 2;
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_INT, in, 1, gaps, MPI_COMM_WORLD);
    EACH CHECK(AT(in, r, i) == r + i);
    MPI_Scatter(out, 1, gaps, rank == root ? MPI_IN_PLACE : plain, BLOCK, MPI_INT, root, MPI_COMM_WORLD);
    for (int i = 0; i < BLOCK && rank != root; i++)
        CHECK(plain[i] == OUT(root, rank, i));
    CLEAR(in);
    if (rank == 0)
        memcpy(in, out, n * sizeof *in);
    MPI_Request request;
    MPI_Ibcast(in, size, gaps, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    EACH CHECK(AT(in, r, i) == OUT(0, r, i));
    /* Other sizes: rank r has r % 2 blocks; in reverse order. */
    for (int r = 0; r < size; r++)
        counts[r] = r % 2, places[r] = size - 1 - r;
    CLEAR(in);
    MPI_Iallgatherv(out, rank % 2, gaps, in, counts, places, gaps, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    EACH CHECK(AT(in, size - 1 - r, i) == (r % 2 ? OUT(r, 0, i) : -1));
    CLEAR(in);
    AT(in, size - 1 - rank, 1) = 77;
    MPI_Gatherv(rank == root ? MPI_IN_PLACE : out, rank % 2, gaps, in, counts, places, gaps, root, MPI_COMM_WORLD);
    if (rank == root)
        EACH CHECK(AT(in, size - 1 - r, i) == (r == rank ? i == 1 ? 77 : -1 : r % 2 ? OUT(r, 0, i) : -1));
    CLEAR(in);
    MPI_Scatterv(out, counts, places, gaps, in, rank % 2, gaps, root, MPI_COMM_WORLD);
    for (int i = 0; i < BLOCK; i++)
        CHECK(AT(in, 0, i) == (rank % 2 ? OUT(root, size - 1 - rank, i) : -1));
    for (int r = 0; r < size; r++)
        counts[r] = 1, places[r] = r;
    CLEAR(in);
    MPI_Ialltoallv(out, counts, places, gaps, in, counts, places, gaps, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    EACH CHECK(AT(in, r, i) == OUT(r, rank, i));
    MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_INT, in, counts, places, gaps, MPI_COMM_WORLD);
    EACH CHECK(AT(in, r, i) == OUT(rank, r, i));
    /* A type for each: ints to even ranks, with gaps to odd ones. */
    MPI_Datatype *types = malloc(size * sizeof *types), *in_types = malloc(size * sizeof *types);
    int *out_counts = malloc(size * sizeof *out_counts), *in_counts = malloc(size * sizeof *in_counts);
    for (int r = 0; r < size; r++) {
        types[r] = r % 2 ? gaps : MPI_INT;
        out_counts[r] = r % 2 ? 1 : BLOCK;
        in_types[r] = (r + rank) % 2 ? gaps : MPI_INT;
        in_counts[r] = (r + rank) % 2 ? 1 : BLOCK;
        places[r] = r * 2 * BLOCK * (int)sizeof(int);
    }
    CLEAR(in);
    MPI_Ialltoallw(out, out_counts, places, types, in, in_counts, places, in_types, MPI_COMM_WORLD, &request);
    MPI_Type_free(&gaps);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    EACH
    {
        const int value = rank % 2 ? OUT(r, rank, i) : i % 2 ? -1 : OUT(r, rank, i / 2);
        CHECK(((r + rank) % 2 ? AT(in, r, i) : in[2 * BLOCK * r + i]) == value);
    }
    free(out), free(in), free(plain), free(counts), free(places), free(types), free(in_types), free(out_counts), free(in_counts);
    check_part("collectives");
}

static void external(void)
{
    static const unsigned char expected[] = {1, 2, 3, 4, 0xff, 0xfe, 0x3f, 0xf8, 0, 0, 0, 0, 0, 0, 'x'};
    struct {
        int i;
        short s;
        double d;
        char c;
    } data = {0x01020304, -2, 1.5, 'x'}, back;
    MPI_Aint places[] = {(char *)&data.i - (char *)&data, (char *)&data.s - (char *)&data, (char *)&data.d - (char *)&data,
                         (char *)&data.c - (char *)&data};
    MPI_Datatype type;
    MPI_Aint bytes, position = 0;
    unsigned char buffer[32];
    MPI_Type_create_struct(4, (int[]){1, 1, 1, 1}, places, (MPI_Datatype[]){MPI_INT, MPI_SHORT, MPI_DOUBLE, MPI_CHAR}, &type);
    MPI_Type_commit(&type);
    MPI_Pack_external_size("external32", 2, type, &bytes);
    CHECK(bytes == 30);
    MPI_Pack_external("external32", &data, 1, type, buffer, sizeof buffer, &position);
    CHECK(position == 15 && memcmp(buffer, expected, 15) == 0);
    position = 0;
    MPI_Unpack_external("external32", buffer, 15, &position, &back, 1, type);
    CHECK(position == 15 && back.i == data.i && back.s == data.s && back.d == data.d && back.c == 'x');
    MPI_Type_free(&type);
    check_part("external");
}

static void errors(void)
{
    MPI_Datatype type;
    int class;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
#define FAILS(call, expected) (MPI_Error_class(call, &class), class == expected)
    CHECK(FAILS(MPI_Type_contiguous(1, MPI_DATATYPE_NULL, &type), MPI_ERR_TYPE));
    CHECK(FAILS(MPI_Type_create_subarray(1, (int[]){4}, (int[]){3}, (int[]){2}, MPI_ORDER_C, MPI_INT, &type), MPI_ERR_ARG));
    CHECK(MPI_Type_contiguous(-1, MPI_INT, &type) != MPI_SUCCESS);
    MPI_Type_contiguous(0, MPI_INT, &type);
    CHECK(FAILS(MPI_Send(&class, 1, type, rank, 0, MPI_COMM_WORLD), MPI_ERR_TYPE));
    MPI_Type_commit(&type);
    bounds_are(type, 0, 0, 0, 0, 0);
    CHECK(MPI_Sendrecv(&class, 1, type, 0, 0, &class, 1, type, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE) == MPI_SUCCESS);
    MPI_Type_free(&type);
    CHECK(type == MPI_DATATYPE_NULL);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    check_part("errors");
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv);
    maps();
    contents();
    messages();
    collectives();
    external();
    errors();
    return check_end();
}
