/* missing.c: functions that are not built. Arguments are not looked at, so whose error handler the program would want is not known:
 * it is that of MPI_COMM_WORLD. */
#include "mpi_internal.h"

#define MOG_MPI_MISSING(name, why)                                \
    int MPI_##name() __attribute__((weak, alias("PMPI_" #name))); \
    int PMPI_##name() { return __mog_mpi_failed(MPI_COMM_WORLD, MPI_ERR_UNSUPPORTED_OPERATION, "MPI_" #name ": " why); }
#include "mog/mpi_missing.def"
