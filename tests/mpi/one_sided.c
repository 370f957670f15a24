/* One-sided communication: puts, gets and what combines, in each kind of epoch and of window; errors. */
#include "check.h"

enum { N = 40 };
static MPI_Win window;
static int *own;
static int next_rank, last_rank;

static void make(void)
{
    MPI_Win_allocate(N * (MPI_Aint)sizeof *own, sizeof *own, MPI_INFO_NULL, MPI_COMM_WORLD, &own, &window);
    for (int i = 0; i < N; i++)
        own[i] = 100 * rank + i;
    MPI_Barrier(MPI_COMM_WORLD);
}

static void fences(void)
{
    int out[N], in[N];
    make();
    for (int i = 0; i < N; i++)
        out[i] = 1000 * rank + i;
    MPI_Win_fence(MPI_MODE_NOPRECEDE, window);
    MPI_Put(out, 5, MPI_INT, next_rank, 3, 5, MPI_INT, window);
    MPI_Get(in, 4, MPI_INT, last_rank, 20, 4, MPI_INT, window);
    MPI_Put(out, 5, MPI_INT, MPI_PROC_NULL, 0, 5, MPI_INT, window);
    MPI_Win_fence(0, window);
    for (int i = 0; i < N; i++)
        CHECK(own[i] == (i >= 3 && i < 8 ? 1000 * last_rank + i - 3 : 100 * rank + i));
    for (int i = 0; i < 4; i++)
        CHECK(in[i] == 100 * last_rank + 20 + i);
    MPI_Win_fence(0, window);
    /* More than are kept for one call. */
    for (int i = 0; i < N; i++)
        MPI_Put(out + i, 1, MPI_INT, next_rank, N - 1 - i, 1, MPI_INT, window);
    MPI_Win_fence(0, window);
    for (int i = 0; i < N; i++)
        CHECK(own[i] == 1000 * last_rank + N - 1 - i);
    /* All at one place. */
    int one = 1, most = rank;
    MPI_Win_fence(0, window);
    own[0] = own[1] = 0;
    MPI_Win_fence(0, window);
    for (int i = 0; i < 3; i++)
        MPI_Accumulate(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, window);
    MPI_Accumulate(&most, 1, MPI_INT, 0, 1, 1, MPI_INT, MPI_MAX, window);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, window);
    if (rank == 0)
        CHECK(own[0] == 3 * size && own[1] == size - 1);
    MPI_Win_free(&window);
    CHECK(window == MPI_WIN_NULL);
}

static void types(void)
{
    MPI_Datatype column, mixed;
    int out[N], in[N];
    make();
    MPI_Type_vector(4, 1, 5, MPI_INT, &column);
    MPI_Type_commit(&column);
    MPI_Type_create_resized(column, 0, sizeof(int), &mixed);
    MPI_Type_commit(&mixed);
    for (int i = 0; i < N; i++)
        out[i] = -i - rank, in[i] = -1;
    MPI_Win_fence(0, window);
    MPI_Put(out, 8, MPI_INT, next_rank, 1, 2, mixed, window); /* two columns from a row */
    MPI_Win_fence(0, window);
    for (int i = 0; i < 4; i++)
        CHECK(own[1 + 5 * i] == -i - last_rank && own[2 + 5 * i] == -4 - i - last_rank && own[3 + 5 * i] == 100 * rank + 3 + 5 * i);
    MPI_Get(in, 1, column, next_rank, 0, 4, MPI_INT, window); /* and a column from a row */
    MPI_Win_fence(0, window);
    CHECK(in[0] == 100 * next_rank && in[5] == -rank && in[10] == -4 - rank && in[15] == 100 * next_rank + 3 && in[1] == -1);
    MPI_Accumulate(out, 4, MPI_INT, next_rank, 20, 1, column, MPI_SUM, window);
    MPI_Type_free(&column);
    MPI_Type_free(&mixed);
    MPI_Win_fence(0, window);
    for (int i = 0; i < 4; i++)
        CHECK(own[20 + 5 * i] == 100 * rank + 20 + 5 * i - i - last_rank);

    /* Without gaps, but in another order: one element is a matrix by its columns. */
    MPI_Datatype transposed;
    MPI_Type_vector(4, 1, 5, MPI_INT, &column);
    MPI_Type_create_hvector(5, 1, sizeof(int), column, &transposed);
    MPI_Type_commit(&transposed);
    MPI_Win_fence(0, window);
    MPI_Put(out, 20, MPI_INT, next_rank, 0, 1, transposed, window);
    MPI_Win_fence(0, window);
    for (int i = 0; i < 20; i++)
        CHECK(own[i % 4 * 5 + i / 4] == -i - last_rank);
    MPI_Type_free(&column);
    MPI_Type_free(&transposed);
    MPI_Win_free(&window);
}

static void locks(void)
{
    int one = 1, before = -1, got[N];
    make();
    /* What one reads it writes back greater: nobody may come between. */
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
    MPI_Get(got, 1, MPI_INT, 0, 5, 1, MPI_INT, window);
    MPI_Win_flush(0, window);
    got[0] += 2;
    MPI_Put(got, 1, MPI_INT, 0, 5, 1, MPI_INT, window);
    MPI_Win_unlock(0, window);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
    MPI_Get(got, 1, MPI_INT, 0, 5, 1, MPI_INT, window);
    MPI_Win_unlock(0, window);
    CHECK(got[0] == 5 + 2 * size);

    MPI_Win_lock_all(0, window);
    MPI_Fetch_and_op(&one, &before, MPI_INT, 0, 6, MPI_SUM, window);
    MPI_Win_flush(0, window);
    CHECK(before >= 6 && before < 6 + size);
    int all[64] = {0}, number = before - 6;
    MPI_Allgather(&number, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < size; i++)
        for (int k = 0; k < i; k++)
            CHECK(all[i] != all[k]);
    /* One of all is the first. */
    int expected = 7, mine = -5 - rank, was = 0, won, winners;
    MPI_Compare_and_swap(&mine, &expected, &was, MPI_INT, 0, 7, window);
    MPI_Win_flush_all(window);
    won = was == 7;
    MPI_Allreduce(&won, &winners, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK(winners == 1);
    MPI_Get_accumulate(NULL, 0, MPI_INT, got, 2, MPI_INT, 0, 6, 2, MPI_INT, MPI_NO_OP, window);
    MPI_Win_flush_local(0, window);
    CHECK(got[0] == 6 + size && got[1] <= -5 && (!won || got[1] == mine));
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Request requests[3];
    int sums[2] = {1, 10}, old[2];
    MPI_Rput(&rank, 1, MPI_INT, next_rank, 30, 1, MPI_INT, window, requests);
    MPI_Raccumulate(sums, 2, MPI_INT, 0, 10, 2, MPI_INT, MPI_SUM, window, requests + 1);
    MPI_Rget_accumulate(sums, 2, MPI_INT, old, 2, MPI_INT, next_rank, 12, 2, MPI_INT, MPI_REPLACE, window, requests + 2);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    CHECK(old[0] == 100 * next_rank + 12 && old[1] == 100 * next_rank + 13);
    MPI_Win_flush_all(window);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Rget(got, 2, MPI_INT, 0, 10, 2, MPI_INT, window, requests);
    MPI_Wait(requests, MPI_STATUS_IGNORE);
    CHECK(got[0] == 10 + size && got[1] == 11 + 10 * size);
    MPI_Win_sync(window);
    CHECK(own[30] == last_rank && own[12] == 1 && own[13] == 10);
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
}

static void groups(void)
{
    MPI_Group all, target, source;
    int flag = 0;
    make();
    MPI_Win_get_group(window, &all);
    MPI_Group_incl(all, 1, &next_rank, &target);
    MPI_Group_incl(all, 1, &last_rank, &source);
    for (int turn = 0; turn < 2; turn++) {
        MPI_Win_post(source, 0, window);
        MPI_Win_start(target, 0, window);
        int out = 7 * rank + turn;
        MPI_Put(&out, 1, MPI_INT, next_rank, 2, 1, MPI_INT, window);
        MPI_Win_complete(window);
        if (turn == 0)
            MPI_Win_wait(window);
        else
            for (flag = 0; !flag;)
                MPI_Win_test(window, &flag);
        CHECK(own[2] == 7 * last_rank + turn);
    }
    MPI_Group_free(&all);
    MPI_Group_free(&target);
    MPI_Group_free(&source);
    MPI_Win_free(&window);
}

static void kinds(void)
{
    double memory[3] = {rank, 2, 3}, got = 0;
    int flag, *unit, *flavor, length;
    MPI_Aint *bytes, address, *addresses = malloc((size_t)size * sizeof *addresses);
    void *base;
    char name[MPI_MAX_OBJECT_NAME];
    /* Only the last rank has something. */
    MPI_Win_create(memory, rank == size - 1 ? sizeof memory : 0, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_get_attr(window, MPI_WIN_BASE, &base, &flag);
    CHECK(flag && (rank != size - 1 || base == memory));
    MPI_Win_get_attr(window, MPI_WIN_SIZE, &bytes, &flag);
    CHECK(flag && *bytes == (rank == size - 1 ? sizeof memory : 0));
    MPI_Win_get_attr(window, MPI_WIN_DISP_UNIT, &unit, &flag);
    CHECK(flag && *unit == sizeof *memory);
    MPI_Win_get_attr(window, MPI_WIN_CREATE_FLAVOR, &flavor, &flag);
    CHECK(flag && *flavor == MPI_WIN_FLAVOR_CREATE);
    MPI_Win_set_name(window, "memory");
    MPI_Win_get_name(window, name, &length);
    CHECK(length == 6 && strcmp(name, "memory") == 0);
    MPI_Win_fence(0, window);
    MPI_Get(&got, 1, MPI_DOUBLE, size - 1, 0, 1, MPI_DOUBLE, window);
    MPI_Win_fence(0, window);
    CHECK(got == size - 1);
    MPI_Win_free(&window);

    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    /* Two pieces that touch: one access may reach from one into the other. */
    MPI_Win_attach(window, memory, sizeof *memory);
    MPI_Win_attach(window, memory + 1, sizeof memory - sizeof *memory);
    MPI_Get_address(memory, &address);
    MPI_Allgather(&address, sizeof address, MPI_BYTE, addresses, sizeof address, MPI_BYTE, MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_SHARED, next_rank, 0, window);
    const double put[2] = {rank, rank + 0.5};
    MPI_Put(put, 2, MPI_DOUBLE, next_rank, addresses[next_rank], 2, MPI_DOUBLE, window);
    MPI_Win_unlock(next_rank, window);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(memory[0] == last_rank && memory[1] == last_rank + 0.5);
    MPI_Win_detach(window, memory);
    MPI_Win_detach(window, memory + 1);
    MPI_Win_free(&window);
    free(addresses);

}

static int called;
static void on_error(MPI_Win *where, int *code, ...) { called += *where == window && *code != MPI_SUCCESS; }

static int class_of(int code)
{
    int class;
    MPI_Error_class(code, &class);
    return class;
}

static void errors(void)
{
    MPI_Errhandler handler;
    int x = 0;
    make();
    MPI_Win_set_errhandler(window, MPI_ERRORS_RETURN);
    CHECK(class_of(MPI_Put(&x, 1, MPI_INT, 0, 0, 1, MPI_INT, window)) == MPI_ERR_RMA_SYNC);
    CHECK(class_of(MPI_Win_unlock(0, window)) == MPI_ERR_RMA_SYNC);
    MPI_Win_lock_all(0, window);
    CHECK(class_of(MPI_Put(&x, 1, MPI_INT, size, 0, 1, MPI_INT, window)) == MPI_ERR_RANK);
    CHECK(class_of(MPI_Put(&x, -1, MPI_INT, 0, 0, -1, MPI_INT, window)) == MPI_ERR_COUNT);
    CHECK(MPI_Put(&x, 1, MPI_INT, 0, N, 1, MPI_INT, window) != MPI_SUCCESS);
    MPI_Win_unlock_all(window);
    MPI_Win_create_errhandler(on_error, &handler);
    MPI_Win_set_errhandler(window, handler);
    MPI_Errhandler_free(&handler);
    MPI_Get(&x, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
    CHECK(called == 1);
    MPI_Win_free(&window);
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv);
    next_rank = (rank + 1) % size;
    last_rank = (rank + size - 1) % size;
    fences();
    check_part("fences");
    types();
    check_part("types");
    locks();
    check_part("locks");
    groups();
    check_part("groups");
    kinds();
    check_part("kinds");
    errors();
    check_part("errors");
    return check_end();
}
