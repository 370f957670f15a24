/* cannon.c: a product of matrices by Cannon's method: ranks form a square grid that is closed in both directions, each has a block of either
 * matrix; blocks of the left one wander to the left, those of the right one up, and meet where they are to be multiplied. Ranks beyond the
 * largest square look on.
 *
 *     mogmpicc cannon.c -o cannon && mogrun -n 64 ./cannon 32
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

/* The matrices: small whole numbers, so that sums are exact in any order. Beyond row or column n there are zeros. */
static double left_at(int i, int j, int n) { return i < n && j < n ? (i * 7 + j * 3) % 11 - 5 : 0; }
static double right_at(int i, int j, int n) { return i < n && j < n ? (i * 5 + j * 2) % 13 - 6 : 0; }

static void wander(double *block, int count, int dimension, int distance, MPI_Comm grid)
{
    int from, to;
    MPI_Cart_shift(grid, dimension, -distance, &from, &to);
    MPI_Sendrecv_replace(block, count, MPI_DOUBLE, to, 0, from, 0, grid, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int size, side = 1, rank, coords[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int n = argc > 1 ? atoi(argv[1]) : 32;
    while ((side + 1) * (side + 1) <= size)
        side++;
    const int extents[2] = {side, side}, periods[2] = {1, 1};
    MPI_Comm grid;
    MPI_Cart_create(MPI_COMM_WORLD, 2, extents, periods, 1, &grid);
    if (grid == MPI_COMM_NULL) {
        MPI_Finalize();
        return 0;
    }
    MPI_Comm_rank(grid, &rank);
    MPI_Cart_coords(grid, rank, 2, coords);

    const int b = (n + side - 1) / side, cells = b * b; /* a block is b by b */
    double *left = malloc((size_t)cells * 3 * sizeof *left), *right = left + cells, *product = right + cells;
    for (int i = 0; i < b; i++)
        for (int j = 0; j < b; j++) {
            left[i * b + j] = left_at(coords[0] * b + i, coords[1] * b + j, n);
            right[i * b + j] = right_at(coords[0] * b + i, coords[1] * b + j, n);
            product[i * b + j] = 0;
        }

    /* Blocks that meet first: row i of the left matrix goes i to the left, column j of the right one j up. */
    wander(left, cells, 1, coords[0], grid);
    wander(right, cells, 0, coords[1], grid);
    for (int step = 0; step < side; step++) {
        for (int i = 0; i < b; i++)
            for (int k = 0; k < b; k++)
                for (int j = 0; j < b; j++)
                    product[i * b + j] += left[i * b + k] * right[k * b + j];
        wander(left, cells, 1, 1, grid);
        wander(right, cells, 0, 1, grid);
    }

    /* Trace and a sum that sees each place. */
    double parts[2] = {0, 0}, all[2];
    for (int i = 0; i < b; i++)
        for (int j = 0; j < b; j++) {
            const int row = coords[0] * b + i, column = coords[1] * b + j;
            parts[0] += row == column ? product[i * b + j] : 0;
            parts[1] += product[i * b + j] * (row % 17 + 1) * (column % 19 + 1);
        }
    MPI_Reduce(parts, all, 2, MPI_DOUBLE, MPI_SUM, 0, grid);
    if (rank == 0)
        printf("%d by %d: trace %.0f, weighted sum %.0f\n", n, n, all[0], all[1]);
    free(left);
    MPI_Comm_free(&grid);
    MPI_Finalize();
    return 0;
}
