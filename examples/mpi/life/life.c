/* life.c: Conway's game of life on a torus. Ranks have some rows each; the file life.pbm, a picture, is written by all at once with MPI-IO.
 * With fewer rows than ranks some ranks have none, and are left out by MPI_Comm_split.
 *
 *     mogmpicc life.c -o life && mogrun -n 64 ./life 64 100
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int n, rows;
#define AT(field, row, column) (field)[(row) * n + ((column) + n) % n]

static int neighbours(const char *field, int row, int column)
{
    int count = -AT(field, row, column);
    for (int i = row - 1; i <= row + 1; i++)
        for (int j = column - 1; j <= column + 1; j++)
            count += AT(field, i, j);
    return count;
}

/* Rows above and below, of the neighbours. */
static void exchange(char *field, int rank, int size, MPI_Comm comm)
{
    const int up = (rank + size - 1) % size, down = (rank + 1) % size;
    MPI_Sendrecv(field + n, n, MPI_CHAR, up, 0, field + (rows + 1) * n, n, MPI_CHAR, down, 0, comm, MPI_STATUS_IGNORE);
    MPI_Sendrecv(field + rows * n, n, MPI_CHAR, down, 1, field, n, MPI_CHAR, up, 1, comm, MPI_STATUS_IGNORE);
}

/* A header by rank 0, and a line of digits for each row, at its place. */
static void write_picture(const char *field, int first_row, int rank, MPI_Comm comm)
{
    char header[32], *lines = malloc((size_t)rows * (size_t)(n + 1));
    const int length = snprintf(header, sizeof header, "P1\n%d %d\n", n, n);
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < n; j++)
            lines[i * (n + 1) + j] = (char)('0' + AT(field, i + 1, j));
        lines[i * (n + 1) + n] = '\n';
    }
    MPI_File file;
    MPI_File_open(comm, "life.pbm", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    MPI_File_set_size(file, 0);
    if (rank == 0)
        MPI_File_write_at(file, 0, header, length, MPI_CHAR, MPI_STATUS_IGNORE);
    MPI_File_write_at_all(file, length + (MPI_Offset)first_row * (n + 1), lines, rows * (n + 1), MPI_CHAR, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    free(lines);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Comm comm;
    MPI_Init(&argc, &argv);
    n = argc > 1 ? atoi(argv[1]) : 64;
    const int steps = argc > 2 ? atoi(argv[2]) : 50;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank < n ? 0 : MPI_UNDEFINED, rank, &comm);
    if (comm == MPI_COMM_NULL) {
        MPI_Finalize();
        return 0;
    }
    MPI_Comm_size(comm, &size);

    const int first_row = (int)((long long)rank * n / size);
    rows = (int)((long long)(rank + 1) * n / size) - first_row;
    char *now = calloc((size_t)(rows + 2) * (size_t)n, 1), *then = calloc((size_t)(rows + 2) * (size_t)n, 1);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < n; j++) {
            const unsigned cell = (unsigned)((first_row + i) * n + j) * 2654435761u;
            AT(now, i + 1, j) = (cell >> 16 & 7) < 3;
        }
    for (int step = 0; step < steps; step++) {
        exchange(now, rank, size, comm);
        for (int i = 1; i <= rows; i++)
            for (int j = 0; j < n; j++) {
                const int count = neighbours(now, i, j);
                AT(then, i, j) = count == 3 || (count == 2 && AT(now, i, j));
            }
        char *other = now;
        now = then;
        then = other;
    }
    int living = 0, all;
    for (int i = 0; i < rows * n; i++)
        living += now[n + i];
    write_picture(now, first_row, rank, comm);
    MPI_Reduce(&living, &all, 1, MPI_INT, MPI_SUM, 0, comm);
    if (rank == 0)
        printf("%d by %d, after %d steps %d cells live\n", n, n, steps, all);
    free(now);
    free(then);
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
