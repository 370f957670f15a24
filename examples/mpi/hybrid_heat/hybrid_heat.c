/* hybrid_heat.c: heat spreads over a plate, as in ../heat; each rank has some of the rows, and its threads share them out. Only one thread of a rank
 * calls MPI: it fetches the neighbours' rows while the others work on rows that need none.
 *
 *     mogmpicc -O2 -fopenmp hybrid_heat.c -o hybrid_heat && mogrun -n 4 --threads 16 ./hybrid_heat 256 500
 */
#include <mpi.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static int n, rows;
#define AT(plate, row, column) (plate)[(row) * (n + 2) + (column)]

static void compute(const double *now, double *then, int row)
{
    for (int j = 1; j <= n; j++)
        AT(then, row, j) = 0.25 * (AT(now, row - 1, j) + AT(now, row + 1, j) + AT(now, row, j - 1) + AT(now, row, j + 1));
}

int main(int argc, char **argv)
{
    int size, rank, provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    n = argc > 1 ? atoi(argv[1]) : 64;
    const int steps = argc > 2 ? atoi(argv[2]) : 40;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (provided < MPI_THREAD_SERIALIZED || n < 1) {
        if (rank == 0)
            fprintf(stderr, "hybrid_heat: %s\n", n < 1 ? "the plate has no points" : "MPI does not let threads call it in turn");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    /* Ranks beyond the number of rows have none, and their neighbours are those that have some. */
    const int first = (int)((long long)rank * n / size), parts = size < n ? size : n;
    rows = (int)((long long)(rank + 1) * n / size) - first;
    MPI_Comm working;
    MPI_Comm_split(MPI_COMM_WORLD, rows ? 0 : MPI_UNDEFINED, rank, &working);
    double *now = calloc((size_t)(rows + 2) * (size_t)(n + 2), sizeof *now), *then = calloc((size_t)(rows + 2) * (size_t)(n + 2), sizeof *then);
    if (!now || !then)
        MPI_Abort(MPI_COMM_WORLD, 1);

    if (rows) {
        int place;
        MPI_Comm_rank(working, &place);
        const int up = place ? place - 1 : MPI_PROC_NULL, down = place + 1 < parts ? place + 1 : MPI_PROC_NULL;
        if (first == 0)
            for (int j = 0; j < n + 2; j++)
                AT(now, 0, j) = AT(then, 0, j) = 100;
#pragma omp parallel
        for (int step = 0; step < steps; step++) {
            double *const from = step % 2 ? then : now, *const to = step % 2 ? now : then;
#pragma omp single nowait
            {
                MPI_Sendrecv(&AT(from, 1, 1), n, MPI_DOUBLE, up, 0, &AT(from, rows + 1, 1), n, MPI_DOUBLE, down, 0, working, MPI_STATUS_IGNORE);
                MPI_Sendrecv(&AT(from, rows, 1), n, MPI_DOUBLE, down, 1, &AT(from, 0, 1), n, MPI_DOUBLE, up, 1, working, MPI_STATUS_IGNORE);
            }
#pragma omp for schedule(dynamic)
            for (int i = 2; i < rows; i++)
                compute(from, to, i);
            /* All have come here, and so have the neighbours' rows. */
#pragma omp sections
            {
#pragma omp section
                compute(from, to, 1);
#pragma omp section
                if (rows > 1)
                    compute(from, to, rows);
            }
        }
    }

    /* How warm the plate is along its middle column. Sums are of whole numbers, for those of doubles depend on their order. */
    const double *const plate = steps % 2 ? then : now;
    double line[8] = {0}, all[8];
    long long sum = 0, total;
    for (int k = 0; k < 8; k++) {
        const int row = k * n / 8 - first;
        if (row >= 0 && row < rows)
            line[k] = AT(plate, row + 1, n / 2 + 1);
    }
#pragma omp parallel for reduction(+ : sum)
    for (int i = 1; i <= rows; i++)
        for (int j = 1; j <= n; j++)
            sum += (long long)(AT(plate, i, j) * 1e9);
    MPI_Reduce(line, all, 8, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(&sum, &total, 1, MPI_LONG_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("%d by %d, %d steps: %.6f degrees on average; in the middle column", n, n, steps, (double)total / 1e9 / n / n);
        for (int k = 0; k < 8; k++)
            printf(" %.4f", all[k]);
        printf("\n");
    }
    if (rows)
        MPI_Comm_free(&working);
    free(now);
    free(then);
    MPI_Finalize();
    return 0;
}
