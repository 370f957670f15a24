/* window_settings.c: error handlers, names and hints of windows. */
#include <stdlib.h>
#include <string.h>

#include "windows.h"

int __mog_mpi_window_failed(MPI_Win window, int code, const char *function) {
    const struct mpi_window *w = __mog_mpi_window(window);
    /* What is wrong without a window is MPI_COMM_WORLD's. */
    if (code == MPI_SUCCESS || !w) return __mog_mpi_failed(MPI_COMM_WORLD, code, function);
    if (w->handler == MPI_ERRORS_RETURN) return code;
    MPI_Win_errhandler_function *own = (MPI_Win_errhandler_function *)__mog_mpi_handler_function(w->handler);
    if (!own) __mog_mpi_fatal(MPI_COMM_WORLD, code, function);
    own(&window, &code);
    return code;
}

MPI_DEFINE(Win_create_errhandler, MPI_Win_errhandler_function *function, MPI_Errhandler *handler) {
    return PMPI_Comm_create_errhandler((MPI_Comm_errhandler_function *)function, handler);
}

MPI_DEFINE(Win_set_errhandler, MPI_Win window, MPI_Errhandler handler) {
    struct mpi_window *w = __mog_mpi_window(window);
    if (!w || (handler != MPI_ERRORS_ARE_FATAL && handler != MPI_ERRORS_RETURN && !__mog_mpi_handler_function(handler)))
        MPI_WINDOW_RETURN(window, w ? MPI_ERR_ARG : MPI_ERR_WIN);
    w->handler = handler;
    return MPI_SUCCESS;
}

MPI_DEFINE(Win_get_errhandler, MPI_Win window, MPI_Errhandler *handler) {
    const struct mpi_window *w = __mog_mpi_window(window);
    if (w) *handler = w->handler;
    MPI_WINDOW_RETURN(window, w ? MPI_SUCCESS : MPI_ERR_WIN);
}

MPI_DEFINE(Win_call_errhandler, MPI_Win window, int code) {
    if (!__mog_mpi_window(window)) MPI_WINDOW_RETURN(window, MPI_ERR_WIN);
    __mog_mpi_window_failed(window, code, __func__ + 1);
    return MPI_SUCCESS;
}

MPI_DEFINE(Win_set_name, MPI_Win window, const char *name) {
    struct mpi_window *w = __mog_mpi_window(window);
    char *copy = w && name ? strndup(name, MPI_MAX_OBJECT_NAME - 1) : NULL;
    if (copy) {
        free(w->name);
        w->name = copy;
    }
    MPI_WINDOW_RETURN(window, !w ? MPI_ERR_WIN : !name ? MPI_ERR_ARG : copy ? MPI_SUCCESS : MPI_ERR_NO_MEM);
}

MPI_DEFINE(Win_get_name, MPI_Win window, char *name, int *length) {
    const struct mpi_window *w = __mog_mpi_window(window);
    if (!w) MPI_WINDOW_RETURN(window, MPI_ERR_WIN);
    strcpy(name, w->name ? w->name : "");
    *length = (int)strlen(name);
    return MPI_SUCCESS;
}

/* No hint changes anything, so none is kept. */
MPI_DEFINE(Win_set_info, MPI_Win window, MPI_Info info) {
    (void)info;
    MPI_WINDOW_RETURN(window, __mog_mpi_window(window) ? MPI_SUCCESS : MPI_ERR_WIN);
}
