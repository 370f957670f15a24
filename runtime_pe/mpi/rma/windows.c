/* windows.c: making and freeing windows. */
#include <stdlib.h>

#include "runtime_pe/mpi/base/objects.h"
#include "runtime_pe/mpi/comm/own_comm.h"
#include "windows.h"

static struct mpi_objects windows = {.first = 0xa0000000u};

struct mpi_window *__mog_mpi_window(MPI_Win window) {
    return __mog_mpi_state.stage == MPI_BETWEEN ? __mog_mpi_object(&windows, window) : NULL;
}

int __mog_mpi_window_call(const struct mpi_window *w, unsigned operation, unsigned third, unsigned fourth, unsigned fifth, unsigned sixth) {
    return -(int)__mog_mpi(MOG_MPI_WORD(operation, 0, 0, 0), w->comm.context, (unsigned)w->comm.rank, third, fourth, fifth, sixth, 0);
}

/* Whether all ranks have the same size and unit: then places are checked here. */
static int compare_sizes(struct mpi_window *w) {
    int own[4] = {(int)w->size, -(int)w->size, w->unit, -w->unit}, most[4];
    const int code = __mog_mpi_own_collective(&w->comm, MOG_MPI_allreduce, mpi_type_id(MPI_INT), MPI_MAX & 0xff, 0, own, most, 4);
    w->is_uniform = code == MPI_SUCCESS && most[0] == -most[1] && most[2] == -most[3];
    return code;
}

static void drop(struct mpi_window *w) {
    if (w->comm.context != MOG_MPI_NO_CONTEXT) __mog_mpi_leave_own_comm(&w->comm);
    free(w->access.ranks);
    free(w->exposure.ranks);
    free(w->kept);
    free(w->memory);
    if (w->release) w->release(w);
    free(w->name);
    free(w);
}

/* All ranks come, even with wrong arguments: those of others are right, perhaps, and all get the error. */
static int make(struct mpi_window w, MPI_Comm comm, MPI_Win *window) {
    const struct mpi_comm *of = __mog_mpi_comm(comm);
    if (!of) return MPI_ERR_COMM;
    struct mpi_window *made = malloc(sizeof *made);
    int wrong = !made ? MPI_ERR_NO_MEM : w.size < 0 ? MPI_ERR_SIZE : w.unit <= 0 ? MPI_ERR_DISP : MPI_SUCCESS, worst;
    if (wrong == MPI_SUCCESS && w.flavor == MPI_WIN_FLAVOR_ALLOCATE && !(w.base = w.memory = malloc(w.size ? (size_t)w.size : 1)))
        wrong = MPI_ERR_NO_MEM;
    w.handler = MPI_ERRORS_ARE_FATAL;
    w.comm.context = MOG_MPI_NO_CONTEXT;
    int code = __mog_mpi_make_own_comm(&w.comm, of);
    if (code == MPI_SUCCESS && w.take) {
        const int failed = w.take(&w);
        wrong = wrong != MPI_SUCCESS ? wrong : failed;
    }
    if (code == MPI_SUCCESS && wrong == MPI_SUCCESS)
        wrong = __mog_mpi_window_call(&w, MOG_MPI_win_create, MPI_ADDRESS(w.base), (unsigned)w.size, (unsigned)w.unit,
                                      w.flavor == MPI_WIN_FLAVOR_DYNAMIC);
    if (code == MPI_SUCCESS)
        code = __mog_mpi_own_collective(&w.comm, MOG_MPI_allreduce, mpi_type_id(MPI_INT), MPI_MAX & 0xff, 0, &wrong, &worst, 1);
    if (code == MPI_SUCCESS) code = worst != MPI_SUCCESS ? worst : compare_sizes(&w);
    if (code == MPI_SUCCESS && !__mog_mpi_add_object(&windows, made, window)) code = MPI_ERR_NO_MEM;
    if (!made) {
        if (w.release) w.release(&w);
        __mog_mpi_leave_own_comm(&w.comm);
        free(w.memory);
        return code;
    }
    *made = w;
    if (code != MPI_SUCCESS) drop(made);
    return code;
}

MPI_DEFINE(Win_create, void *base, MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, MPI_Win *window) {
    (void)info;
    MPI_RETURN(comm, make((struct mpi_window){.base = base, .size = size, .unit = unit, .flavor = MPI_WIN_FLAVOR_CREATE}, comm, window));
}

int __mog_mpi_make_window(struct mpi_window asked, MPI_Comm comm, void *base, MPI_Win *window) {
    const int code = make(asked, comm, window);
    if (code == MPI_SUCCESS) *(void **)base = __mog_mpi_window(*window)->base;
    return code;
}

MPI_DEFINE(Win_allocate, MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *window) {
    (void)info;
    const struct mpi_window asked = {.size = size, .unit = unit, .flavor = MPI_WIN_FLAVOR_ALLOCATE};
    MPI_RETURN(comm, __mog_mpi_make_window(asked, comm, base, window));
}

MPI_DEFINE(Win_create_dynamic, MPI_Info info, MPI_Comm comm, MPI_Win *window) {
    (void)info;
    MPI_RETURN(comm, make((struct mpi_window){.unit = 1, .flavor = MPI_WIN_FLAVOR_DYNAMIC}, comm, window));
}

/* Attaches or detaches. */
static int change(MPI_Win window, const void *base, MPI_Aint size, unsigned operation) {
    const struct mpi_window *w = __mog_mpi_window(window);
    return !w ? MPI_ERR_WIN : size < 0 ? MPI_ERR_SIZE : __mog_mpi_window_call(w, operation, MPI_ADDRESS(base), (unsigned)size, 0, 0);
}

MPI_DEFINE(Win_attach, MPI_Win window, void *base, MPI_Aint size) {
    MPI_WINDOW_RETURN(window, change(window, base, size, MOG_MPI_win_attach));
}
MPI_DEFINE(Win_detach, MPI_Win window, const void *base) { MPI_WINDOW_RETURN(window, change(window, base, 0, MOG_MPI_win_detach)); }

MPI_DEFINE(Win_free, MPI_Win *window) {
    struct mpi_window *w = window ? __mog_mpi_window(*window) : NULL;
    if (!w) MPI_WINDOW_RETURN(MPI_WIN_NULL, MPI_ERR_WIN);
    if (w->is_exposed || w->epoch > MPI_EPOCH_FENCE) MPI_WINDOW_RETURN(*window, MPI_ERR_RMA_SYNC);
    int code = w->attributes ? __mog_mpi_delete_attributes(*window, &w->attributes) : MPI_SUCCESS;
    if (code != MPI_SUCCESS) MPI_WINDOW_RETURN(*window, code);
    code = __mog_mpi_window_flush(w);
    /* Nobody accesses this part any more. */
    const int failed = __mog_mpi_own_collective(&w->comm, MOG_MPI_barrier, 0, 0, 0, NULL, NULL, 0);
    code = failed != MPI_SUCCESS ? failed : code;
    if (code != MPI_SUCCESS) MPI_WINDOW_RETURN(*window, code);
    __mog_mpi_remove_object(&windows, *window);
    *window = MPI_WIN_NULL;
    drop(w);
    return MPI_SUCCESS;
}
