/* What MPI-IO may do under --root and its like: a file that is there, one that is made, one that is outside. */
#include <mpi.h>
#include <stdio.h>

static void try(const char *name, int mode)
{
    MPI_File file;
    char text[MPI_MAX_ERROR_STRING];
    int length, rank;
    const int code = MPI_File_open(MPI_COMM_WORLD, name, mode, MPI_INFO_NULL, &file);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Error_string(code, text, &length);
    if (rank == 0)
        printf("%s: %s\n", name, text);
    if (code != MPI_SUCCESS)
        return;
    if (mode & MPI_MODE_WRONLY)
        MPI_File_write_ordered(file, "abcd", 4, MPI_CHAR, MPI_STATUS_IGNORE);
    MPI_Offset size;
    MPI_File_sync(file);
    MPI_File_get_size(file, &size);
    if (rank == 0)
        printf("%lld bytes\n", (long long)size);
    MPI_File_close(&file);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    try("there", MPI_MODE_RDONLY);
    try("made", MPI_MODE_WRONLY | MPI_MODE_CREATE);
    try("../outside", MPI_MODE_RDONLY);
    MPI_Finalize();
    return 0;
}
