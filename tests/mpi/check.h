/* check.h: what the programs of this folder share. They print the same under any MPI. */
#ifndef CHECK_H
#define CHECK_H

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size, failures;

#define CHECK(condition)                                                                   \
    do {                                                                                   \
        if (!(condition)) {                                                                \
            printf("rank %d of %d: %s:%d: not so: %s\n", rank, size, __FILE__, __LINE__, #condition); \
            failures++;                                                                    \
        }                                                                                  \
    } while (0)

static __attribute__((unused)) void check_begin(int *argc, char ***argv)
{
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
}

/* One line of each part, by rank 0, once all have come so far. */
static void check_part(const char *name)
{
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("%s\n", name);
}

static int check_end(void)
{
    MPI_Finalize();
    return failures != 0;
}

#endif
