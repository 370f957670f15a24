/* Heat in a square plate, one row of blocks per rank: Jacobi steps until nothing changes by more than a bound. */
#include <mpi.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#define W 32
#define H 4
int main(int argc, char **argv)
{
    int rank, size, steps = 0;
    const int most = argc > 1 ? atoi(argv[1]) : 100;
    static double a[H + 2][W + 2], b[H + 2][W + 2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int up = rank ? rank - 1 : MPI_PROC_NULL, down = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
    for (int i = 0; i < H + 2; i++) a[i][0] = b[i][0] = 100.0 * ((rank * H + i) % 17) / 17, a[i][W + 1] = b[i][W + 1] = rank % 5;
    double change;
    do {
        MPI_Sendrecv(a[1], W + 2, MPI_DOUBLE, up, 0, a[H + 1], W + 2, MPI_DOUBLE, down, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(a[H], W + 2, MPI_DOUBLE, down, 1, a[0], W + 2, MPI_DOUBLE, up, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        double own = 0;
        for (int i = 1; i <= H; i++)
            for (int j = 1; j <= W; j++) {
                b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
                own += (b[i][j] - a[i][j]) * (b[i][j] - a[i][j]);
            }
        for (int i = 1; i <= H; i++)
            for (int j = 1; j <= W; j++) a[i][j] = b[i][j];
        MPI_Allreduce(&own, &change, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        steps++;
    } while (change > 0.1 * size && steps < most);
    double sum = 0, all;
    for (int i = 1; i <= H; i++)
        for (int j = 1; j <= W; j++) sum += a[i][j];
    MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("%d steps, change %.17g, sum %.17g\n", steps, change, all);
    MPI_Finalize();
    return 0;
}
