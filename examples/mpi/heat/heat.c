/* heat.c: heat spreads over a plate, whose upper edge is hot and whose other edges are cold. The plate is cut into blocks, a rank each, on a grid
 * of ranks; in every step neighbours exchange the edges of their blocks. Columns are not in one piece: a derived type sends them.
 *
 *     mogmpicc heat.c -o heat && mogrun -n 64 ./heat 64 200
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

/* A block with an edge of what the neighbours have. */
static int rows, columns;
#define AT(plate, row, column) (plate)[(row) * (columns + 2) + (column)]

/* Where the part of coordinate `i` of `parts` begins. */
static int begin_of(int i, int parts, int n) { return (int)((long long)i * n / parts); }

static void exchange(double *plate, MPI_Datatype column, MPI_Comm grid)
{
    int up, down, left, right;
    MPI_Cart_shift(grid, 0, 1, &up, &down);
    MPI_Cart_shift(grid, 1, 1, &left, &right);
    /* Beyond the plate is MPI_PROC_NULL, and its edges stay as they are. */
    MPI_Sendrecv(&AT(plate, 1, 1), columns, MPI_DOUBLE, up, 0, &AT(plate, rows + 1, 1), columns, MPI_DOUBLE, down, 0, grid, MPI_STATUS_IGNORE);
    MPI_Sendrecv(&AT(plate, rows, 1), columns, MPI_DOUBLE, down, 1, &AT(plate, 0, 1), columns, MPI_DOUBLE, up, 1, grid, MPI_STATUS_IGNORE);
    MPI_Sendrecv(&AT(plate, 1, 1), 1, column, left, 2, &AT(plate, 1, columns + 1), 1, column, right, 2, grid, MPI_STATUS_IGNORE);
    MPI_Sendrecv(&AT(plate, 1, columns), 1, column, right, 3, &AT(plate, 1, 0), 1, column, left, 3, grid, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int size, rank, extents[2] = {0, 0}, periods[2] = {0, 0}, coords[2];
    MPI_Comm grid;
    MPI_Init(&argc, &argv);
    const int n = argc > 1 ? atoi(argv[1]) : 64, steps = argc > 2 ? atoi(argv[2]) : 40;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Dims_create(size, 2, extents);
    MPI_Cart_create(MPI_COMM_WORLD, 2, extents, periods, 1, &grid);
    MPI_Comm_rank(grid, &rank);
    MPI_Cart_coords(grid, rank, 2, coords);
    if (n < extents[0] || n < extents[1]) {
        if (rank == 0)
            fprintf(stderr, "heat: a plate of %d by %d is too small for %d by %d ranks\n", n, n, extents[0], extents[1]);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }

    const int first_row = begin_of(coords[0], extents[0], n), first_column = begin_of(coords[1], extents[1], n);
    rows = begin_of(coords[0] + 1, extents[0], n) - first_row;
    columns = begin_of(coords[1] + 1, extents[1], n) - first_column;
    const size_t cells = (size_t)(rows + 2) * (size_t)(columns + 2);
    double *now = calloc(cells, sizeof *now), *then = calloc(cells, sizeof *then);
    if (coords[0] == 0)
        for (int j = 0; j < columns + 2; j++)
            AT(now, 0, j) = AT(then, 0, j) = 100;

    MPI_Datatype column;
    MPI_Type_vector(rows, 1, columns + 2, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
    for (int step = 0; step < steps; step++) {
        exchange(now, column, grid);
        for (int i = 1; i <= rows; i++)
            for (int j = 1; j <= columns; j++)
                AT(then, i, j) = 0.25 * (AT(now, i - 1, j) + AT(now, i + 1, j) + AT(now, i, j - 1) + AT(now, i, j + 1));
        double *other = now;
        now = then;
        then = other;
    }

    /* How warm the plate is, in whole degrees, along its middle column: each rank gives what it has. */
    const int middle = n / 2;
    double line[8] = {0}, all[8], sum = 0, total;
    for (int k = 0; k < 8; k++) {
        const int row = k * n / 8 - first_row, place = middle - first_column;
        if (row >= 0 && row < rows && place >= 0 && place < columns)
            line[k] = AT(now, row + 1, place + 1);
    }
    for (int i = 1; i <= rows; i++)
        for (int j = 1; j <= columns; j++)
            sum += AT(now, i, j);
    MPI_Reduce(line, all, 8, MPI_DOUBLE, MPI_SUM, 0, grid);
    MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, grid);
    if (rank == 0) {
        printf("%d by %d, %d steps: %.6f degrees on average; in the middle column", n, n, steps, total / n / n);
        for (int k = 0; k < 8; k++)
            printf(" %.4f", all[k]);
        printf("\n");
    }
    MPI_Type_free(&column);
    MPI_Comm_free(&grid);
    free(now);
    free(then);
    MPI_Finalize();
    return 0;
}
