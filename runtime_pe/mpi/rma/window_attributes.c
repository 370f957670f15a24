/* window_attributes.c: attributes of windows. */
#include "runtime_pe/mpi/base/attributes.h"
#include "windows.h"

MPI_DEFINE_KEYVALS(Win, MPI_KEYVAL_WINDOW)
MPI_DEFINE_DUP_FN(MPI_WIN_DUP_FN, MPI_Win)

/* MPI_WIN_BASE is the address itself, others are addresses of numbers. */
MPI_DEFINE(Win_get_attr, MPI_Win window, int keyval, void *value, int *flag) {
    struct mpi_window *const w = __mog_mpi_window(window);
    static int model = MPI_WIN_UNIFIED;
    if (!w) MPI_WINDOW_RETURN(window, MPI_ERR_WIN);
    *flag = 1;
    switch (keyval) {
        case MPI_WIN_BASE: *(void **)value = w->base; break;
        case MPI_WIN_SIZE: *(void **)value = &w->size; break;
        case MPI_WIN_DISP_UNIT: *(void **)value = &w->unit; break;
        case MPI_WIN_CREATE_FLAVOR: *(void **)value = &w->flavor; break;
        case MPI_WIN_MODEL: *(void **)value = &model; break;
        default: MPI_WINDOW_RETURN(window, __mog_mpi_get_attribute(MPI_KEYVAL_WINDOW, &w->attributes, keyval, value, flag));
    }
    return MPI_SUCCESS;
}

MPI_DEFINE(Win_set_attr, MPI_Win window, int keyval, void *value) {
    struct mpi_window *const w = __mog_mpi_window(window);
    MPI_WINDOW_RETURN(window, w ? __mog_mpi_set_attribute(MPI_KEYVAL_WINDOW, window, &w->attributes, keyval, value) : MPI_ERR_WIN);
}

MPI_DEFINE(Win_delete_attr, MPI_Win window, int keyval) {
    struct mpi_window *const w = __mog_mpi_window(window);
    MPI_WINDOW_RETURN(window, w ? __mog_mpi_delete_attribute(MPI_KEYVAL_WINDOW, window, &w->attributes, keyval) : MPI_ERR_WIN);
}
