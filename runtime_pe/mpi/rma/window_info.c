/* window_info.c: apart, for it needs infos. */
#include "windows.h"

MPI_DEFINE(Win_get_info, MPI_Win window, MPI_Info *info) {
    if (!__mog_mpi_window(window)) MPI_WINDOW_RETURN(window, MPI_ERR_WIN);
    return PMPI_Info_create(info);
}
