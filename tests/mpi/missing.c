/* Functions that are not built link, and say so when they are called: through the error handler. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    MPI_Win window;
    int value, error_class;
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Error_class(MPI_Comm_spawn("x", MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &window, MPI_ERRCODES_IGNORE), &error_class);
    printf("%s\n", error_class == MPI_ERR_UNSUPPORTED_OPERATION ? "unsupported" : "something else");
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    fflush(stdout);
    MPI_Open_port(MPI_INFO_NULL, (char *)&value);
    MPI_Finalize();
    return 0;
}
