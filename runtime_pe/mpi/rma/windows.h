/* windows.h: windows of one-sided communication, as the files about them see them.
 *
 * Accesses are kept here until the program asks for them to be done, or there is no more room: then the engine does all of them in one
 * call. Since PEs stand still while it does, an access is done at its target as soon as it is done at its origin. */
#ifndef MOG_MPI_WINDOWS_H
#define MOG_MPI_WINDOWS_H

#include "runtime_pe/mpi/base/attributes.h"

enum { MPI_KEPT_ACCESSES = 32 };

/* What is to be done after an access, beside what the engine does. */
struct mpi_after_access {
    struct mpi_bytes origin, result; /* copies of what does not lie in one piece */
    void *buffer;                    /* where the result goes then, */
    int count;
    MPI_Datatype type, target_type; /* types that stay until then */
};
struct mpi_kept {
    unsigned count;
    struct mog_mpi_access accesses[MPI_KEPT_ACCESSES];
    struct mpi_after_access after[MPI_KEPT_ACCESSES];
};
/* Ranks, of a list that grows. */
struct mpi_rank_list {
    int count;
    int *ranks;
};
/* What lets this PE access others. */
enum mpi_epoch { MPI_EPOCH_NONE, MPI_EPOCH_FENCE, MPI_EPOCH_START, MPI_EPOCH_LOCK, MPI_EPOCH_LOCK_ALL };

struct mpi_window {
    struct mpi_comm comm; /* its own */
    MPI_Errhandler handler;
    void *base;
    MPI_Aint size;
    int unit, flavor;
    int is_uniform; /* all ranks have this size and this unit */
    enum mpi_epoch epoch;
    int has_accessed;              /* in this epoch */
    struct mpi_rank_list access;   /* ranks that are locked, or of MPI_Win_start */
    struct mpi_rank_list exposure; /* of MPI_Win_post */
    int is_exposed;
    struct mpi_kept *kept;             /* null: nothing was accessed so far */
    void *memory;                      /* that goes with the window */
    void *shared;                      /* of a window in memory that its ranks share: where that begins */
    int (*take)(struct mpi_window *w); /* gets such memory: shared_windows.c, which other programs do not have */
    void (*release)(struct mpi_window *w);
    struct mpi_attribute *attributes;
    char *name;
};

/* Makes a window of its own memory, which `base` gets. Returns an error class. */
int __mog_mpi_make_window(struct mpi_window asked, MPI_Comm comm, void *base, MPI_Win *window);
/* Null: it is none. */
struct mpi_window *__mog_mpi_window(MPI_Win window);
/* What a function returns whose error is `code`; the window's handler was called, if there is an error. */
int __mog_mpi_window_failed(MPI_Win window, int code, const char *function);
#define MPI_WINDOW_RETURN(window, code) return __mog_mpi_window_failed(window, code, __func__ + 1)
/* A call of the engine that names the window. Returns an error class. */
int __mog_mpi_window_call(const struct mpi_window *w, unsigned operation, unsigned third, unsigned fourth, unsigned fifth, unsigned sixth);
/* Does what is kept. An error class: that of the first access that has one. */
int __mog_mpi_window_flush(struct mpi_window *w);
/* The rank's place; -1: it is not in the list. */
int __mog_mpi_list_find(const struct mpi_rank_list *list, int rank);

#endif
