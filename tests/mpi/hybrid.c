/* Heat in a plate: rows shared out over ranks, and each rank's over the threads of a team. Boundaries go between ranks by one thread, and by
 * two at a time. The result is that of one rank with one thread, to the last bit. */
#include "check.h"

enum { ROWS = 66, COLUMNS = 40, STEPS = 12 };
typedef double Row[COLUMNS];

static void heat(Row *to, Row *from, int first, int end)
{
#pragma omp parallel for schedule(dynamic, 1)
    for (int i = first; i < end; i++)
        for (int k = 0; k < COLUMNS; k++) {
            double left = from[i][k ? k - 1 : 0], right = from[i][k + 1 < COLUMNS ? k + 1 : k];
            to[i][k] = 0.25 * (from[i - 1][k] + from[i + 1][k] + left + right);
        }
}

static void begin(Row *plate, int rows)
{
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < COLUMNS; k++)
            plate[i][k] = (i * 7 + k * 13) % 31;
}

/* The rows beside ours. */
static void exchange(Row *plate, int first, int end, int both)
{
    int above = first > 1 ? rank - 1 : MPI_PROC_NULL, below = end < ROWS - 1 ? rank + 1 : MPI_PROC_NULL;
    (void)both;
#pragma omp parallel sections num_threads(2) if (both)
    {
#pragma omp section
        MPI_Sendrecv(plate[first], COLUMNS, MPI_DOUBLE, above, 1, plate[end], COLUMNS, MPI_DOUBLE, below, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#pragma omp section
        MPI_Sendrecv(plate[end - 1], COLUMNS, MPI_DOUBLE, below, 2, plate[first - 1], COLUMNS, MPI_DOUBLE, above, 2, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
    }
}

static void run(int both)
{
    static Row alone[2][ROWS], shared[2][ROWS];
    int working = size < ROWS - 2 ? size : ROWS - 2, first = 1, end = 1;
    if (rank < working) {
        first = 1 + (ROWS - 2) * rank / working;
        end = 1 + (ROWS - 2) * (rank + 1) / working;
    }
    for (int i = 0; i < 2; i++) {
        begin(alone[i], ROWS);
        begin(shared[i], ROWS);
    }
    for (int step = 0; step < STEPS && rank < working; step++) {
        exchange(shared[step % 2], first, end, both);
        heat(shared[(step + 1) % 2], shared[step % 2], first, end);
    }
    for (int step = 0; step < STEPS; step++)
        heat(alone[(step + 1) % 2], alone[step % 2], 1, ROWS - 1);
    for (int i = first; i < end; i++)
        CHECK(memcmp(shared[STEPS % 2][i], alone[STEPS % 2][i], sizeof(Row)) == 0);
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    CHECK(provided == MPI_THREAD_MULTIPLE);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    run(0);
    check_part("by one thread");
    run(1);
    check_part("by two");
    return check_end();
}
