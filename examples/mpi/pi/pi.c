/* pi.c: pi as an integral of 4 / (1 + x * x) from 0 to 1: strips are shared out over the ranks, and one reduction adds them up.
 *
 *     mogmpicc pi.c -o pi && mogrun -n 1024 ./pi 100000
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, strips = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    /* One rank knows the number, and tells the others. */
    if (rank == 0)
        strips = argc > 1 ? atoi(argv[1]) : 100000;
    MPI_Bcast(&strips, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (strips <= 0) {
        if (rank == 0)
            fprintf(stderr, "usage: pi [STRIPS]\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }

    const double width = 1.0 / strips;
    double part = 0, pi;
    for (int i = rank; i < strips; i += size) {
        const double x = (i + 0.5) * width;
        part += 4 / (1 + x * x) * width;
    }
    MPI_Reduce(&part, &pi, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);

    /* Sums in another order differ in the last places, which are not shown. */
    if (rank == 0)
        printf("pi is about %.8f\n", pi);
    MPI_Finalize();
    return 0;
}
