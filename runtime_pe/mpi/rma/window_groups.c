/* window_groups.c: epochs of groups. Who may be accessed says so by a message without bytes, and who has accessed does: messages of the
 * window's own communicator, which nobody else uses. */
#include <stdlib.h>

#include "runtime_pe/mpi/comm/groups.h"
#include "windows.h"

enum { TAG_POST = 1, TAG_COMPLETE = 2 };

/* Ranks of the window, of a group's members: an error class. */
static int set_list(const struct mpi_window *w, MPI_Group group, struct mpi_rank_list *list) {
    const struct mpi_group *g = __mog_mpi_group(group);
    if (!g) return MPI_ERR_GROUP;
    int *ranks = malloc((size_t)(w->comm.size > g->size ? w->comm.size : g->size) * sizeof *ranks + 1);
    if (!ranks) return MPI_ERR_NO_MEM;
    int code = -(int)__mog_mpi(MOG_MPI_WORD(MOG_MPI_members, 0, 0, 0), w->comm.context, (unsigned)w->comm.rank, 0, (unsigned)w->comm.size,
                               MPI_ADDRESS(ranks), 0, 0);
    /* From world ranks in the window's order to the group's members in it. */
    int count = 0;
    for (int rank = 0; code == MPI_SUCCESS && rank < w->comm.size; rank++)
        if (__mog_mpi_rank_in_group(g, ranks[rank]) != MPI_UNDEFINED) ranks[count++] = rank;
    if (code == MPI_SUCCESS && count != g->size) code = MPI_ERR_RANK;
    if (code != MPI_SUCCESS) {
        free(ranks);
        return code;
    }
    int *const fitting = realloc(ranks, (size_t)count * sizeof *ranks + 1);
    free(list->ranks);
    *list = (struct mpi_rank_list){count, fitting ? fitting : ranks};
    return MPI_SUCCESS;
}

/* To each of the list, or from each; an error class. */
static int tell_all(const struct mpi_window *w, const struct mpi_rank_list *list, unsigned operation, int tag) {
    int code = MPI_SUCCESS;
    for (int i = 0; i < list->count && code == MPI_SUCCESS; i++)
        code = -(int)__mog_mpi(MOG_MPI_WORD(operation, 0, 0, 0), w->comm.context, (unsigned)w->comm.rank, (unsigned)list->ranks[i],
                               (unsigned)tag, 0, 0, 0);
    return code;
}

MPI_DEFINE(Win_post, MPI_Group group, int assertion, MPI_Win window) {
    struct mpi_window *w = __mog_mpi_window(window);
    (void)assertion;
    int code = !w ? MPI_ERR_WIN : w->is_exposed ? MPI_ERR_RMA_SYNC : set_list(w, group, &w->exposure);
    if (code == MPI_SUCCESS) {
        w->is_exposed = 1;
        code = tell_all(w, &w->exposure, MOG_MPI_send, TAG_POST);
    }
    MPI_WINDOW_RETURN(window, code);
}

MPI_DEFINE(Win_start, MPI_Group group, int assertion, MPI_Win window) {
    struct mpi_window *w = __mog_mpi_window(window);
    (void)assertion;
    int code = !w                                                                               ? MPI_ERR_WIN
               : w->epoch > MPI_EPOCH_FENCE || (w->epoch == MPI_EPOCH_FENCE && w->has_accessed) ? MPI_ERR_RMA_SYNC
                                                                                                : set_list(w, group, &w->access);
    if (code == MPI_SUCCESS) {
        w->epoch = MPI_EPOCH_START;
        code = tell_all(w, &w->access, MOG_MPI_receive, TAG_POST);
    }
    MPI_WINDOW_RETURN(window, code);
}

MPI_DEFINE(Win_complete, MPI_Win window) {
    struct mpi_window *w = __mog_mpi_window(window);
    if (!w || w->epoch != MPI_EPOCH_START) MPI_WINDOW_RETURN(window, w ? MPI_ERR_RMA_SYNC : MPI_ERR_WIN);
    const int code = __mog_mpi_window_flush(w), failed = tell_all(w, &w->access, MOG_MPI_send, TAG_COMPLETE);
    w->epoch = MPI_EPOCH_NONE;
    w->has_accessed = w->access.count = 0;
    MPI_WINDOW_RETURN(window, code != MPI_SUCCESS ? code : failed);
}

MPI_DEFINE(Win_wait, MPI_Win window) {
    struct mpi_window *w = __mog_mpi_window(window);
    if (!w || !w->is_exposed) MPI_WINDOW_RETURN(window, w ? MPI_ERR_RMA_SYNC : MPI_ERR_WIN);
    const int code = tell_all(w, &w->exposure, MOG_MPI_receive, TAG_COMPLETE);
    w->is_exposed = 0;
    MPI_WINDOW_RETURN(window, code);
}

MPI_DEFINE(Win_test, MPI_Win window, int *flag) {
    struct mpi_window *w = __mog_mpi_window(window);
    if (!w || !w->is_exposed) MPI_WINDOW_RETURN(window, w ? MPI_ERR_RMA_SYNC : MPI_ERR_WIN);
    *flag = 1;
    for (int i = 0; i < w->exposure.count && *flag; i++) {
        struct mog_mpi_result result;
        *flag = (int)__mog_mpi(MOG_MPI_WORD(MOG_MPI_probe, MOG_MPI_NONBLOCKING, 0, 0), w->comm.context, (unsigned)w->comm.rank,
                               (unsigned)w->exposure.ranks[i], TAG_COMPLETE, 0, 0, MPI_ADDRESS(&result)) > 0;
    }
    return *flag ? PMPI_Win_wait(window) : MPI_SUCCESS;
}

MPI_DEFINE(Win_get_group, MPI_Win window, MPI_Group *group) {
    const struct mpi_window *w = __mog_mpi_window(window);
    if (!w) MPI_WINDOW_RETURN(window, MPI_ERR_WIN);
    struct mpi_group_maker maker;
    int *ranks = malloc((size_t)w->comm.size * sizeof *ranks);
    int code = !ranks ? MPI_ERR_NO_MEM
                      : -(int)__mog_mpi(MOG_MPI_WORD(MOG_MPI_members, 0, 0, 0), w->comm.context, (unsigned)w->comm.rank, 0,
                                        (unsigned)w->comm.size, MPI_ADDRESS(ranks), 0, 0);
    if (code == MPI_SUCCESS) {
        __mog_mpi_begin_group(&maker);
        for (int rank = 0; rank < w->comm.size; rank++) __mog_mpi_add_ranks(&maker, ranks[rank], 1, 1);
        code = __mog_mpi_end_group(&maker, group);
    }
    free(ranks);
    MPI_WINDOW_RETURN(window, code);
}
