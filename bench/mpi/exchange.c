/* What a rank has to do with others at least, for the memory that it takes: one reduction, one message. `none`: a PE that has no MPI. */
#ifdef NONE
int main(void) { return 0; }
#else
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, one = 1, sum, from;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 0, &from, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return sum != size || from != (rank + size - 1) % size;
}
#endif
