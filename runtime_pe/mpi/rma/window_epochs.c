/* window_epochs.c: fences and locks. Epochs of groups are in window_groups.c. */
#include <stdlib.h>

#include "runtime_pe/mpi/comm/own_comm.h"
#include "windows.h"

/* A fence without accesses after it begins no epoch. */
static int may_begin(const struct mpi_window *w) { return w->epoch == MPI_EPOCH_NONE || (w->epoch == MPI_EPOCH_FENCE && !w->has_accessed); }

MPI_DEFINE(Win_fence, int assertion, MPI_Win window) {
    struct mpi_window *w = __mog_mpi_window(window);
    if (!w || w->epoch > MPI_EPOCH_FENCE || w->is_exposed) MPI_WINDOW_RETURN(window, w ? MPI_ERR_RMA_SYNC : MPI_ERR_WIN);
    const int code = __mog_mpi_window_flush(w);
    /* What has failed here is done elsewhere: others are waiting. */
    const int failed = __mog_mpi_own_collective(&w->comm, MOG_MPI_barrier, 0, 0, 0, NULL, NULL, 0);
    w->epoch = assertion & MPI_MODE_NOSUCCEED ? MPI_EPOCH_NONE : MPI_EPOCH_FENCE;
    w->has_accessed = 0;
    MPI_WINDOW_RETURN(window, code != MPI_SUCCESS ? code : failed);
}

static int add_rank(struct mpi_rank_list *list, int rank) {
    int *more = realloc(list->ranks, (size_t)(list->count + 1) * sizeof *more);
    if (!more) return MPI_ERR_NO_MEM;
    list->ranks = more;
    more[list->count++] = rank;
    return MPI_SUCCESS;
}

MPI_DEFINE(Win_lock, int type, int rank, int assertion, MPI_Win window) {
    struct mpi_window *w = __mog_mpi_window(window);
    (void)assertion;
    int code = !w                                                                  ? MPI_ERR_WIN
               : type != MPI_LOCK_EXCLUSIVE && type != MPI_LOCK_SHARED             ? MPI_ERR_LOCKTYPE
               : rank != MPI_PROC_NULL && (unsigned)rank >= (unsigned)w->comm.size ? MPI_ERR_RANK
                                                                                   : MPI_SUCCESS;
    if (code == MPI_SUCCESS && !may_begin(w) && (w->epoch != MPI_EPOCH_LOCK || __mog_mpi_list_find(&w->access, rank) >= 0))
        code = MPI_ERR_RMA_SYNC;
    if (code == MPI_SUCCESS && rank != MPI_PROC_NULL)
        code = __mog_mpi_window_call(w, MOG_MPI_win_lock, (unsigned)rank, type == MPI_LOCK_EXCLUSIVE, 0, 0);
    if (code == MPI_SUCCESS && (code = add_rank(&w->access, rank)) == MPI_SUCCESS) w->epoch = MPI_EPOCH_LOCK;
    MPI_WINDOW_RETURN(window, code);
}

MPI_DEFINE(Win_lock_all, int assertion, MPI_Win window) {
    struct mpi_window *w = __mog_mpi_window(window);
    (void)assertion;
    int code = !w ? MPI_ERR_WIN : may_begin(w) ? __mog_mpi_window_call(w, MOG_MPI_win_lock, MOG_MPI_ALL_RANKS, 0, 0, 0) : MPI_ERR_RMA_SYNC;
    if (code == MPI_SUCCESS) w->epoch = MPI_EPOCH_LOCK_ALL;
    MPI_WINDOW_RETURN(window, code);
}

/* Others get the lock even if an access has failed. */
static int unlock(struct mpi_window *w, unsigned rank) {
    const int code = __mog_mpi_window_flush(w), failed = __mog_mpi_window_call(w, MOG_MPI_win_unlock, rank, 0, 0, 0);
    w->has_accessed = 0;
    return code != MPI_SUCCESS ? code : failed;
}

MPI_DEFINE(Win_unlock, int rank, MPI_Win window) {
    struct mpi_window *w = __mog_mpi_window(window);
    const int place = w && w->epoch == MPI_EPOCH_LOCK ? __mog_mpi_list_find(&w->access, rank) : -1;
    if (place < 0) MPI_WINDOW_RETURN(window, w ? MPI_ERR_RMA_SYNC : MPI_ERR_WIN);
    w->access.ranks[place] = w->access.ranks[--w->access.count];
    if (!w->access.count) w->epoch = MPI_EPOCH_NONE;
    MPI_WINDOW_RETURN(window, rank == MPI_PROC_NULL ? MPI_SUCCESS : unlock(w, (unsigned)rank));
}

MPI_DEFINE(Win_unlock_all, MPI_Win window) {
    struct mpi_window *w = __mog_mpi_window(window);
    if (!w || w->epoch != MPI_EPOCH_LOCK_ALL) MPI_WINDOW_RETURN(window, w ? MPI_ERR_RMA_SYNC : MPI_ERR_WIN);
    w->epoch = MPI_EPOCH_NONE;
    MPI_WINDOW_RETURN(window, unlock(w, MOG_MPI_ALL_RANKS));
}

/* All that is kept is done, whoever was asked for. `rank` -1: all. */
static int flush(MPI_Win window, int rank, const char *function) {
    struct mpi_window *w = __mog_mpi_window(window);
    int code = w ? MPI_SUCCESS : MPI_ERR_WIN;
    if (w && w->epoch != MPI_EPOCH_LOCK && w->epoch != MPI_EPOCH_LOCK_ALL) code = MPI_ERR_RMA_SYNC;
    else if (w && rank != -1 && (unsigned)rank >= (unsigned)w->comm.size) code = MPI_ERR_RANK;
    else if (w && rank != -1 && w->epoch == MPI_EPOCH_LOCK && __mog_mpi_list_find(&w->access, rank) < 0) code = MPI_ERR_RMA_SYNC;
    return __mog_mpi_window_failed(window, code == MPI_SUCCESS ? __mog_mpi_window_flush(w) : code, function);
}

MPI_DEFINE(Win_flush, int rank, MPI_Win window) { return flush(window, rank, __func__ + 1); }
MPI_DEFINE(Win_flush_local, int rank, MPI_Win window) { return flush(window, rank, __func__ + 1); }
MPI_DEFINE(Win_flush_all, MPI_Win window) { return flush(window, -1, __func__ + 1); }
MPI_DEFINE(Win_flush_local_all, MPI_Win window) { return flush(window, -1, __func__ + 1); }

/* There is one copy of the memory only. */
MPI_DEFINE(Win_sync, MPI_Win window) {
    __atomic_thread_fence(__ATOMIC_SEQ_CST); /* what ranks share, they write where it is */
    MPI_WINDOW_RETURN(window, __mog_mpi_window(window) ? MPI_SUCCESS : MPI_ERR_WIN);
}
