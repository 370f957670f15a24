/* shared_windows.c: windows in memory that all PEs of a device share (docs/memory.md), for ranks that are there. */
#include <mog.h>
#include <stdint.h>

#include "runtime_pe/mpi/comm/own_comm.h"
#include "windows.h"

/* What each rank has is consecutive, in the order of ranks; before it stands how much that is. */
struct part {
    int size, unit;
};
enum { ALIGNMENT = 64 };

static struct part *parts_of(const struct mpi_window *w) { return w->shared; }
static char *begin_of(const struct mpi_window *w, int rank) {
    const size_t head = ((size_t)w->comm.size * sizeof(struct part) + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
    char *begin = (char *)w->shared + head;
    for (int i = 0; i < rank; i++) begin += parts_of(w)[i].size;
    return begin;
}

static int reduce(const struct mpi_window *w, MPI_Op operation, const int *own, int *all, unsigned count) {
    return __mog_mpi_own_collective(&w->comm, MOG_MPI_allreduce, mpi_type_id(MPI_INT), operation & 0xff, 0, own, all, count);
}

static void release(struct mpi_window *w) {
    if (w->comm.rank == 0) mog_shared_free(w->shared);
}

/* Collective, also for a rank whose arguments are wrong. */
static int take(struct mpi_window *w) {
    const int size = w->size < 0 ? 0 : (int)w->size, rank = w->comm.rank;
    int device[2] = {(int)__mog_mpi_device, -(int)__mog_mpi_device}, devices[2], code;
    if ((code = reduce(w, MPI_MAX, device, devices, 2)) != MPI_SUCCESS) return code;
    if (devices[0] != -devices[1]) return MPI_ERR_RMA_SHARED;
    /* The sum of bytes need not be a number, if that of KiB is too large. */
    int own[2] = {size / 1024 + 1, size}, all[2], address = 0, shared;
    if ((code = reduce(w, MPI_SUM, own, all, 2)) != MPI_SUCCESS) return code;
    const size_t head = (size_t)w->comm.size * sizeof(struct part) + ALIGNMENT;
    if (rank == 0 && all[0] < 1 << 20) address = (int)(uintptr_t)mog_shared_alloc(head + (size_t)all[1]);
    if ((code = reduce(w, MPI_MAX, &address, &shared, 1)) != MPI_SUCCESS) return code;
    if (!shared) return MPI_ERR_NO_MEM;
    w->shared = (void *)(uintptr_t)shared;
    w->release = release;
    parts_of(w)[rank] = (struct part){size, w->unit};
    if ((code = __mog_mpi_own_collective(&w->comm, MOG_MPI_barrier, 0, 0, 0, NULL, NULL, 0)) != MPI_SUCCESS) return code;
    w->base = begin_of(w, rank);
    return MPI_SUCCESS;
}

MPI_DEFINE(Win_allocate_shared, MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *window) {
    (void)info;
    struct mpi_window asked = {.size = size, .unit = unit, .flavor = MPI_WIN_FLAVOR_SHARED, .take = take};
    MPI_RETURN(comm, __mog_mpi_make_window(asked, comm, base, window));
}

MPI_DEFINE(Win_shared_query, MPI_Win window, int rank, MPI_Aint *size, int *unit, void *base) {
    const struct mpi_window *w = __mog_mpi_window(window);
    const int code = !w                                                            ? MPI_ERR_WIN
                     : w->flavor != MPI_WIN_FLAVOR_SHARED                          ? MPI_ERR_RMA_FLAVOR
                     : (rank < 0 && rank != MPI_PROC_NULL) || rank >= w->comm.size ? MPI_ERR_RANK
                                                                                   : MPI_SUCCESS;
    if (code != MPI_SUCCESS) MPI_WINDOW_RETURN(window, code);
    /* Nobody's is the first that has any. */
    if (rank == MPI_PROC_NULL)
        for (rank = 0; rank + 1 < w->comm.size && parts_of(w)[rank].size == 0;) rank++;
    *size = parts_of(w)[rank].size;
    *unit = parts_of(w)[rank].unit;
    *(void **)base = *size != 0 ? begin_of(w, rank) : NULL;
    return MPI_SUCCESS;
}
