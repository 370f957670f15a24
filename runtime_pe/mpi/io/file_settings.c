/* file_settings.c: pointers and error handlers of files. */
#include "files.h"

/* What is wrong with a file is told to its handler; without a file, to that of MPI_FILE_NULL, which returns errors unless it is changed. */
static MPI_Errhandler default_handler = MPI_ERRORS_RETURN;

int __mog_mpi_file_failed(MPI_File file, int code, const char *function) {
    const struct mpi_file *f = __mog_mpi_file(file);
    const MPI_Errhandler handler = f ? f->handler : default_handler;
    if (code == MPI_SUCCESS || handler == MPI_ERRORS_RETURN) return code;
    MPI_File_errhandler_function *own = (MPI_File_errhandler_function *)__mog_mpi_handler_function(handler);
    if (!own) __mog_mpi_fatal(MPI_COMM_WORLD, code, function);
    own(&file, &code);
    return code;
}

MPI_DEFINE(File_create_errhandler, MPI_File_errhandler_function *function, MPI_Errhandler *handler) {
    return PMPI_Comm_create_errhandler((MPI_Comm_errhandler_function *)function, handler);
}

MPI_DEFINE(File_set_errhandler, MPI_File file, MPI_Errhandler handler) {
    struct mpi_file *f = __mog_mpi_file(file);
    if (file != MPI_FILE_NULL && !f) MPI_FILE_RETURN(file, MPI_ERR_FILE);
    if (handler != MPI_ERRORS_ARE_FATAL && handler != MPI_ERRORS_RETURN && !__mog_mpi_handler_function(handler))
        MPI_FILE_RETURN(file, MPI_ERR_ARG);
    *(f ? &f->handler : &default_handler) = handler;
    return MPI_SUCCESS;
}

MPI_DEFINE(File_get_errhandler, MPI_File file, MPI_Errhandler *handler) {
    const struct mpi_file *f = __mog_mpi_file(file);
    if (file != MPI_FILE_NULL && !f) MPI_FILE_RETURN(file, MPI_ERR_FILE);
    *handler = f ? f->handler : default_handler;
    return MPI_SUCCESS;
}

MPI_DEFINE(File_call_errhandler, MPI_File file, int code) {
    __mog_mpi_file_failed(file, code, __func__ + 1);
    return MPI_SUCCESS;
}

/* ---- pointers ---- */

/* Where `offset` leads, in bytes of the stream. */
static int target(struct mpi_file *f, MPI_Offset offset, int whence, MPI_Offset now, MPI_Offset *to) {
    MPI_Offset base = 0;
    if (whence == MPI_SEEK_CUR) {
        base = now;
    } else if (whence == MPI_SEEK_END) {
        MPI_Offset size;
        const int code = PMPI_File_get_size(f, &size);
        if (code != MPI_SUCCESS) return code;
        base = __mog_mpi_file_stream(f, size);
    } else if (whence != MPI_SEEK_SET) {
        return MPI_ERR_ARG;
    }
    *to = base + offset * f->element.bytes;
    return *to < 0 ? MPI_ERR_ARG : MPI_SUCCESS;
}

static int can_seek(const struct mpi_file *f) {
    return !f ? MPI_ERR_FILE : f->mode & MPI_MODE_SEQUENTIAL ? MPI_ERR_UNSUPPORTED_OPERATION : MPI_SUCCESS;
}

MPI_DEFINE(File_seek, MPI_File file, MPI_Offset offset, int whence) {
    struct mpi_file *f = __mog_mpi_file(file);
    MPI_Offset to;
    int code = can_seek(f);
    if (code == MPI_SUCCESS) code = target(f, offset, whence, f->position, &to);
    if (code == MPI_SUCCESS) f->position = to;
    MPI_FILE_RETURN(file, code);
}

/* Collective: rank 0 does it, once all have come, and none goes on before. */
MPI_DEFINE(File_seek_shared, MPI_File file, MPI_Offset offset, int whence) {
    struct mpi_file *f = __mog_mpi_file(file);
    struct {
        MPI_Offset to;
        int code;
    } told = {0, can_seek(f)};
    if (told.code == MPI_SUCCESS) told.code = __mog_mpi_file_barrier(f);
    if (told.code != MPI_SUCCESS) MPI_FILE_RETURN(file, told.code);
    if (f->comm.rank == 0) {
        MPI_Offset now;
        told.code = __mog_mpi_file_shared(f, &now);
        if (told.code == MPI_SUCCESS) told.code = target(f, offset, whence, now, &told.to);
        if (told.code == MPI_SUCCESS) told.code = __mog_mpi_file_set(f, told.to);
    }
    const int failed = __mog_mpi_file_bcast(f, 0, &told, sizeof told);
    MPI_FILE_RETURN(file, failed != MPI_SUCCESS ? failed : told.code);
}

MPI_DEFINE(File_get_position, MPI_File file, MPI_Offset *offset) {
    const struct mpi_file *f = __mog_mpi_file(file);
    if (!f) MPI_FILE_RETURN(file, MPI_ERR_FILE);
    *offset = f->position / f->element.bytes;
    return MPI_SUCCESS;
}

MPI_DEFINE(File_get_position_shared, MPI_File file, MPI_Offset *offset) {
    const struct mpi_file *f = __mog_mpi_file(file);
    MPI_Offset now = 0;
    const int code = f ? __mog_mpi_file_shared(f, &now) : MPI_ERR_FILE;
    *offset = f ? now / f->element.bytes : 0;
    MPI_FILE_RETURN(file, code);
}

/* ---- what was asked for at the beginning ---- */

MPI_DEFINE(File_get_amode, MPI_File file, int *mode) {
    const struct mpi_file *f = __mog_mpi_file(file);
    if (!f) MPI_FILE_RETURN(file, MPI_ERR_FILE);
    *mode = f->mode;
    return MPI_SUCCESS;
}

/* There are no hints that it would know. */
MPI_DEFINE(File_set_info, MPI_File file, MPI_Info info) {
    (void)info;
    MPI_FILE_RETURN(file, __mog_mpi_file(file) ? MPI_SUCCESS : MPI_ERR_FILE);
}

/* Accesses of a round are done one after the other, and seen by all: they are atomic always. */
MPI_DEFINE(File_set_atomicity, MPI_File file, int flag) {
    struct mpi_file *f = __mog_mpi_file(file);
    if (!f) MPI_FILE_RETURN(file, MPI_ERR_FILE);
    f->atomic = flag != 0;
    MPI_FILE_RETURN(file, __mog_mpi_file_barrier(f));
}

MPI_DEFINE(File_get_atomicity, MPI_File file, int *flag) {
    const struct mpi_file *f = __mog_mpi_file(file);
    if (!f) MPI_FILE_RETURN(file, MPI_ERR_FILE);
    *flag = f->atomic;
    return MPI_SUCCESS;
}
