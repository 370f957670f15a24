/* files.h: open files of MPI-IO, as the files about them see them. A file is a descriptor of the PE, opened as any other: PEs that open the
 * same one share it on the host. What the engine adds is in runtime_host/mpi/io/files.hpp. */
#ifndef MOG_MPI_FILES_H
#define MOG_MPI_FILES_H

#include "runtime_pe/mpi/base/mpi_internal.h"

struct mpi_file {
    struct mpi_file *next; /* of all that are open */
    struct mpi_comm comm;  /* its own: of those who opened it together */
    int descriptor, mode, atomic;
    char *name; /* to be deleted at the end; else null */
    MPI_Errhandler handler;
    /* The view. Its data is a stream of bytes: what of the file filetypes let through, one after the other from `displacement` on. */
    MPI_Offset displacement;
    MPI_Datatype etype, filetype;
    char representation[MPI_MAX_DATAREP_STRING];
    int is_external;                  /* external32: then data there is not as it is here, */
    MPI_Datatype layout;              /* and the filetype as it is in the file is another one, of bytes */
    struct mpi_measure element, tile; /* of etype and filetype, as they are in the file */
    MPI_Offset position;              /* in that stream */
    int in_parts;                     /* between _begin and _end, */
    unsigned came;                    /* and what it came to */
};

/* Null: it is not open. */
struct mpi_file *__mog_mpi_file(MPI_File file);
/* What a function returns whose error is `code`; the file's handler was called, if there is an error. `file` may be none. */
int __mog_mpi_file_failed(MPI_File file, int code, const char *function);
/* The class of an errno. */
int __mog_mpi_class_of_errno(int number);
#define MPI_FILE_RETURN(file, code) return __mog_mpi_file_failed(file, code, __func__ + 1)

/* Collectives of those who have the file open. Return error classes. */
int __mog_mpi_file_barrier(const struct mpi_file *file);
int __mog_mpi_file_bcast(const struct mpi_file *file, int root, void *bytes, unsigned size);
/* `sum`: of the numbers of the ranks up to this one. */
int __mog_mpi_file_scan(const struct mpi_file *file, long long number, long long *sum);
/* The shared pointer, in the stream: moved on, which gives what it was; set, by one rank for all of them. */
int __mog_mpi_file_add(const struct mpi_file *file, MPI_Offset bytes, MPI_Offset *before);
int __mog_mpi_file_set(const struct mpi_file *file, MPI_Offset bytes);
/* Where it is. */
int __mog_mpi_file_shared(const struct mpi_file *file, MPI_Offset *now);

/* view_runs.c: at most `bytes` bytes from place `at` of the stream on, `came` of them. Returns an error class. */
int __mog_mpi_file_move(struct mpi_file *file, int writes, MPI_Offset at, void *buffer, unsigned bytes, unsigned *came);
/* Where in the file place `at` of the stream is. */
MPI_Offset __mog_mpi_file_place(const struct mpi_file *file, MPI_Offset at);
/* The place of the stream at which byte `offset` of the file would come: its end, for SEEK_END. */
MPI_Offset __mog_mpi_file_stream(const struct mpi_file *file, MPI_Offset offset);

/* The runs of a type; of a basic one, which is a block, `one` is room for it. */
const struct mpi_run *__mog_mpi_file_runs(MPI_Datatype type, struct mpi_run *one, unsigned *count);

/* file_views.c: types of a view that is there no more. */
void __mog_mpi_file_forget_view(struct mpi_file *file);

/* file_external.c, which programs have that set views. The type of bytes that lies in a file as `type` does; to be freed. */
int __mog_mpi_external_layout(MPI_Datatype type, MPI_Datatype *layout);
/* As __mog_mpi_file_move, of `bytes` bytes of packed data of a type: `in_file` bytes of them there, `came` here. */
int __mog_mpi_file_move_external(struct mpi_file *file, int writes, MPI_Offset at, MPI_Datatype type, void *packed, unsigned bytes,
                                 unsigned *in_file, unsigned *came);

#endif
