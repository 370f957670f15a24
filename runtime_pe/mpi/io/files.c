/* files.c: opening, closing and asking about files. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files.h"
#include "runtime_pe/mpi/comm/own_comm.h"

#pragma weak __mog_mpi_file_forget_view

static struct mpi_file *files;

struct mpi_file *__mog_mpi_file(MPI_File file) {
    struct mpi_file *f = files;
    while (f && f != file) f = f->next;
    return f;
}

int __mog_mpi_class_of_errno(int number) {
    switch (number) {
        case ENOENT:
        case ENOTDIR: return MPI_ERR_NO_SUCH_FILE;
        case EEXIST: return MPI_ERR_FILE_EXISTS;
        case EACCES:
        case EPERM: return MPI_ERR_ACCESS;
        case EROFS: return MPI_ERR_READ_ONLY;
        case ENOSPC: return MPI_ERR_NO_SPACE;
        case EDQUOT: return MPI_ERR_QUOTA;
        case ENAMETOOLONG:
        case EISDIR:
        case ELOOP: return MPI_ERR_BAD_FILE;
        case ETXTBSY:
        case EBUSY: return MPI_ERR_FILE_IN_USE;
        default: return MPI_ERR_IO;
    }
}

/* ---- collectives of the file ---- */

int __mog_mpi_file_barrier(const struct mpi_file *f) { return __mog_mpi_own_collective(&f->comm, MOG_MPI_barrier, 0, 0, 0, NULL, NULL, 0); }

int __mog_mpi_file_bcast(const struct mpi_file *f, int root, void *bytes, unsigned size) {
    return __mog_mpi_own_collective(&f->comm, MOG_MPI_bcast, 0, 0, (unsigned)root, bytes, NULL, size);
}

int __mog_mpi_file_scan(const struct mpi_file *f, long long number, long long *sum) {
    return __mog_mpi_own_collective(&f->comm, MOG_MPI_scan, mpi_type_id(MPI_LONG_LONG), MPI_SUM & 0xff, 0, &number, sum, 1);
}

/* The greatest error class of all. */
static int agree(const struct mpi_file *f, int code) {
    int worst = code;
    const int failed = __mog_mpi_own_collective(&f->comm, MOG_MPI_allreduce, mpi_type_id(MPI_INT), MPI_MAX & 0xff, 0, &code, &worst, 1);
    return failed != MPI_SUCCESS ? failed : worst;
}

static int pointer(const struct mpi_file *f, unsigned sets, MPI_Offset bytes, MPI_Offset *before) {
    return -(int)__mog_mpi(MOG_MPI_WORD(MOG_MPI_file_pointer, 0, 0, 0), f->comm.context, (unsigned)f->comm.rank, sets, (unsigned)bytes,
                           (unsigned)(bytes >> 32), MPI_ADDRESS(before), 0);
}

int __mog_mpi_file_add(const struct mpi_file *f, MPI_Offset bytes, MPI_Offset *before) { return pointer(f, 0, bytes, before); }

int __mog_mpi_file_set(const struct mpi_file *f, MPI_Offset bytes) {
    MPI_Offset before;
    return pointer(f, 1, bytes, &before);
}

int __mog_mpi_file_shared(const struct mpi_file *f, MPI_Offset *now) { return pointer(f, 0, 0, now); }

/* ---- sizes, which have 64 bits ---- */

enum { SIZE_GET = 0, SIZE_SET = 1, SIZE_GROW = 2 };

static int size_of(const struct mpi_file *f, int how, MPI_Offset *size) {
    return -(int)__mog_mpi(MOG_MPI_WORD(MOG_MPI_file_size, 0, 0, 0), (unsigned)f->descriptor, 0, (unsigned)how, (unsigned)*size,
                           (unsigned)(*size >> 32), MPI_ADDRESS(size), 0);
}

/* ---- opening and closing ---- */

static int flags_of(int mode) {
    const int access = mode & (MPI_MODE_RDONLY | MPI_MODE_WRONLY | MPI_MODE_RDWR);
    const int flags = (mode & MPI_MODE_CREATE ? O_CREAT : 0) | (mode & MPI_MODE_EXCL ? O_EXCL : 0);
    switch (access) {
        case MPI_MODE_RDONLY: return mode & (MPI_MODE_CREATE | MPI_MODE_EXCL) ? -1 : O_RDONLY | flags;
        case MPI_MODE_WRONLY: return O_WRONLY | flags;
        case MPI_MODE_RDWR: return mode & MPI_MODE_SEQUENTIAL ? -1 : O_RDWR | flags;
        default: return -1;
    }
}

/* Rank 0 opens it first, and makes it if it is to be made. */
static int open_all(struct mpi_file *f, const char *name, int flags) {
    int code = MPI_SUCCESS;
    if (f->comm.rank == 0 && (f->descriptor = open(name, flags, 0666)) < 0) code = __mog_mpi_class_of_errno(errno);
    const int failed = __mog_mpi_file_bcast(f, 0, &code, sizeof code);
    if (failed != MPI_SUCCESS || code != MPI_SUCCESS) return failed != MPI_SUCCESS ? failed : code;
    if (f->comm.rank != 0 && (f->descriptor = open(name, flags & ~(O_CREAT | O_EXCL))) < 0) code = __mog_mpi_class_of_errno(errno);
    return agree(f, code);
}

static void leave(struct mpi_file *f) {
    if (f->descriptor >= 0) close(f->descriptor);
    if (f->comm.context != MOG_MPI_NO_CONTEXT) __mog_mpi_leave_own_comm(&f->comm);
    free(f->name);
    free(f);
}

MPI_DEFINE(File_open, MPI_Comm comm, const char *name, int mode, MPI_Info info, MPI_File *file) {
    (void)info;
    const struct mpi_comm *of = __mog_mpi_comm(comm);
    const int flags = flags_of(mode);
    if (!of || flags < 0) MPI_FILE_RETURN(MPI_FILE_NULL, of ? MPI_ERR_AMODE : MPI_ERR_COMM);
    struct mpi_file *f = calloc(1, sizeof *f);
    if (!f) MPI_FILE_RETURN(MPI_FILE_NULL, MPI_ERR_NO_MEM);
    f->comm.context = MOG_MPI_NO_CONTEXT;
    f->descriptor = -1;
    f->mode = mode;
    f->etype = f->filetype = f->layout = MPI_BYTE;
    strcpy(f->representation, "native");
    f->element = f->tile = (struct mpi_measure){1, 1, 0, 1, 1, 1};
    int code = __mog_mpi_make_own_comm(&f->comm, of);
    if (code == MPI_SUCCESS && mode & MPI_MODE_DELETE_ON_CLOSE && !(f->name = strdup(name))) code = MPI_ERR_NO_MEM;
    if (code == MPI_SUCCESS) code = open_all(f, name, flags);
    if (code != MPI_SUCCESS) {
        leave(f);
        MPI_FILE_RETURN(MPI_FILE_NULL, code);
    }
    MPI_Offset size = 0;
    if (mode & MPI_MODE_APPEND && size_of(f, SIZE_GET, &size) == MPI_SUCCESS) {
        f->position = size;
        if (f->comm.rank == 0) __mog_mpi_file_set(f, size);
        __mog_mpi_file_barrier(f);
    }
    PMPI_File_get_errhandler(MPI_FILE_NULL, &f->handler);
    f->next = files;
    *file = files = f;
    return MPI_SUCCESS;
}

MPI_DEFINE(File_close, MPI_File *file) {
    struct mpi_file *f = __mog_mpi_file(*file);
    if (!f) MPI_FILE_RETURN(MPI_FILE_NULL, MPI_ERR_FILE);
    int code = __mog_mpi_file_barrier(f);
    if (code == MPI_SUCCESS && f->name && f->comm.rank == 0 && unlink(f->name) < 0) code = __mog_mpi_class_of_errno(errno);
    struct mpi_file **link = &files;
    while (*link != f) link = &(*link)->next;
    *link = f->next;
    if (__mog_mpi_file_forget_view) __mog_mpi_file_forget_view(f);
    leave(f);
    *file = MPI_FILE_NULL;
    MPI_FILE_RETURN(MPI_FILE_NULL, code);
}

MPI_DEFINE(File_delete, const char *name, MPI_Info info) {
    (void)info;
    MPI_FILE_RETURN(MPI_FILE_NULL, unlink(name) < 0 ? __mog_mpi_class_of_errno(errno) : MPI_SUCCESS);
}

/* Collective: rank 0 does it. */
static int resize(MPI_File file, MPI_Offset size, int how, const char *function) {
    struct mpi_file *f = __mog_mpi_file(file);
    if (!f) return __mog_mpi_file_failed(file, MPI_ERR_FILE, function);
    int code = size < 0 ? MPI_ERR_ARG : f->mode & MPI_MODE_RDONLY ? MPI_ERR_READ_ONLY : MPI_SUCCESS;
    /* What others have written before comes first. */
    if (code == MPI_SUCCESS && (code = __mog_mpi_file_barrier(f)) == MPI_SUCCESS) {
        if (f->comm.rank == 0) code = size_of(f, how, &size);
        const int failed = __mog_mpi_file_bcast(f, 0, &code, sizeof code);
        code = failed != MPI_SUCCESS ? failed : code;
    }
    return __mog_mpi_file_failed(file, code, function);
}

MPI_DEFINE(File_set_size, MPI_File file, MPI_Offset size) { return resize(file, size, SIZE_SET, __func__ + 1); }
MPI_DEFINE(File_preallocate, MPI_File file, MPI_Offset size) { return resize(file, size, SIZE_GROW, __func__ + 1); }

MPI_DEFINE(File_get_size, MPI_File file, MPI_Offset *size) {
    const struct mpi_file *f = __mog_mpi_file(file);
    *size = 0;
    MPI_FILE_RETURN(file, f ? size_of(f, SIZE_GET, size) : MPI_ERR_FILE);
}

MPI_DEFINE(File_sync, MPI_File file) {
    const struct mpi_file *f = __mog_mpi_file(file);
    if (!f) MPI_FILE_RETURN(file, MPI_ERR_FILE);
    int code = __mog_mpi_file_barrier(f);
    /* One descriptor of the host is behind all of them. */
    if (code == MPI_SUCCESS && f->comm.rank == 0 && fsync(f->descriptor) < 0) code = __mog_mpi_class_of_errno(errno);
    const int failed = __mog_mpi_file_bcast(f, 0, &code, sizeof code);
    MPI_FILE_RETURN(file, failed != MPI_SUCCESS ? failed : code);
}
