/* file_access.c: reading and writing: at an offset, at the own pointer, at the shared one, at that in the order of ranks. What the names
 * call nonblocking and collective is done in the call, too: the engine does all accesses of a round together, whatever their names. */
#include "files.h"
#include "runtime_pe/mpi/datatype/types.h"

/* Of file_external.c and external32.c, which come with views. */
#pragma weak __mog_mpi_external_bytes
#pragma weak __mog_mpi_file_move_external

/* Where an access begins. */
enum place { AT_OFFSET, AT_OWN, AT_SHARED, AT_ORDERED };

/* In the order of ranks: the last one knows how much all of them want. */
static int find_ordered(struct mpi_file *f, unsigned bytes, MPI_Offset *at) {
    const int last = f->comm.size - 1;
    long long sum;
    struct {
        MPI_Offset begin;
        int code;
    } told = {0, __mog_mpi_file_scan(f, bytes, &sum)};
    if (told.code != MPI_SUCCESS) return told.code;
    if (f->comm.rank == last) {
        told.code = __mog_mpi_file_shared(f, &told.begin);
        if (told.code == MPI_SUCCESS) told.code = __mog_mpi_file_set(f, told.begin + sum);
    }
    const int failed = __mog_mpi_file_bcast(f, last, &told, sizeof told);
    if (failed != MPI_SUCCESS || told.code != MPI_SUCCESS) return failed != MPI_SUCCESS ? failed : told.code;
    *at = told.begin + sum - bytes;
    return MPI_SUCCESS;
}

/* The place in the stream for `bytes` bytes. */
static int find_place(struct mpi_file *f, enum place place, MPI_Offset offset, unsigned bytes, MPI_Offset *at) {
    switch (place) {
        case AT_OFFSET: *at = offset * f->element.bytes; return offset < 0 ? MPI_ERR_ARG : MPI_SUCCESS;
        case AT_OWN: *at = f->position; return MPI_SUCCESS;
        case AT_SHARED: return __mog_mpi_file_add(f, bytes, at);
        default: return find_ordered(f, bytes, at);
    }
}

static int may(const struct mpi_file *f, enum place place, int writes) {
    if (writes && f->mode & MPI_MODE_RDONLY) return MPI_ERR_READ_ONLY;
    if (!writes && f->mode & MPI_MODE_WRONLY) return MPI_ERR_ACCESS;
    if (f->mode & MPI_MODE_SEQUENTIAL && (place == AT_OFFSET || place == AT_OWN)) return MPI_ERR_UNSUPPORTED_OPERATION;
    return MPI_SUCCESS;
}

/* `came`: bytes. */
static int move(struct mpi_file *f, int writes, enum place place, MPI_Offset offset, void *buffer, int count, MPI_Datatype type,
                unsigned *came) {
    struct mpi_bytes bytes;
    MPI_Offset at;
    int code = may(f, place, writes);
    if (code == MPI_SUCCESS)
        code = writes ? __mog_mpi_outgoing(&bytes, buffer, count, type) : __mog_mpi_incoming(&bytes, buffer, count, type);
    if (code != MPI_SUCCESS) return code;
    const unsigned wanted = f->is_external ? __mog_mpi_external_bytes(type, bytes.bytes) : bytes.bytes;
    unsigned in_file = 0;
    code = wanted % f->element.bytes ? MPI_ERR_IO : find_place(f, place, offset, wanted, &at);
    if (code == MPI_SUCCESS && f->is_external)
        code = __mog_mpi_file_move_external(f, writes, at, type, bytes.start, bytes.bytes, &in_file, came);
    else if (code == MPI_SUCCESS) code = __mog_mpi_file_move(f, writes, at, bytes.start, bytes.bytes, &in_file), *came = in_file;
    if (code == MPI_SUCCESS && place == AT_OWN) f->position += in_file;
    if (!writes && bytes.packed) __mog_mpi_arrived(&bytes, buffer, count, type, *came);
    else __mog_mpi_sent(&bytes);
    return code;
}

/* How it ends: with a status, with a request that is done, or in a second call. */
struct end {
    MPI_Status *status;
    MPI_Request *request;
    int in_parts;
};

static int end_access(struct mpi_file *f, const struct end *end, unsigned came) {
    if (end->request) {
        struct mpi_request *r = __mog_mpi_new_request(MPI_KIND_RECEIVE, MPI_COMM_WORLD);
        if (!r) return MPI_ERR_NO_MEM;
        r->more.result = (struct mog_mpi_result){MOG_MPI_DONE, MPI_ANY_SOURCE, MPI_ANY_TAG, came};
        *end->request = r->handle;
    } else if (end->in_parts) {
        f->in_parts = 1;
        f->came = came;
    } else {
        mpi_set_status(end->status, MPI_ANY_SOURCE, MPI_ANY_TAG, came);
    }
    return MPI_SUCCESS;
}

static int access(MPI_File file, int writes, enum place place, MPI_Offset offset, const void *buffer, int count, MPI_Datatype type,
                  struct end end, const char *function) {
    struct mpi_file *f = __mog_mpi_file(file);
    unsigned came = 0;
    int code = f ? MPI_SUCCESS : MPI_ERR_FILE;
    if (code == MPI_SUCCESS && f->in_parts && end.in_parts) code = MPI_ERR_OTHER;
    if (code == MPI_SUCCESS) code = move(f, writes, place, offset, (void *)buffer, count, type, &came);
    if (code == MPI_SUCCESS) code = end_access(f, &end, came);
    return __mog_mpi_file_failed(file, code, function);
}

static int end_parts(MPI_File file, MPI_Status *status, const char *function) {
    struct mpi_file *f = __mog_mpi_file(file);
    if (!f || !f->in_parts) return __mog_mpi_file_failed(file, f ? MPI_ERR_OTHER : MPI_ERR_FILE, function);
    f->in_parts = 0;
    mpi_set_status(status, MPI_ANY_SOURCE, MPI_ANY_TAG, f->came);
    return MPI_SUCCESS;
}

#define NOW(name, arguments, writes, place, offset)                                                                   \
    MPI_DEFINE(name, arguments, MPI_Status *status) {                                                                 \
        return access(file, writes, place, offset, buffer, count, type, (struct end){status, NULL, 0}, __func__ + 1); \
    }
#define BEGUN(name, arguments, writes, place, offset)                                                                  \
    MPI_DEFINE(name, arguments, MPI_Request *request) {                                                                \
        return access(file, writes, place, offset, buffer, count, type, (struct end){NULL, request, 0}, __func__ + 1); \
    }
#define IN_PARTS(name, arguments, qualifier, writes, place, offset)                                                 \
    MPI_DEFINE(name##_begin, arguments) {                                                                           \
        return access(file, writes, place, offset, buffer, count, type, (struct end){NULL, NULL, 1}, __func__ + 1); \
    }                                                                                                               \
    MPI_DEFINE(name##_end, MPI_File file, qualifier void *buffer, MPI_Status *status) {                             \
        (void)buffer;                                                                                               \
        return end_parts(file, status, __func__ + 1);                                                               \
    }

NOW(File_read_at, MOG_MPI_FILE_READ_AT, 0, AT_OFFSET, offset)
NOW(File_read_at_all, MOG_MPI_FILE_READ_AT, 0, AT_OFFSET, offset)
NOW(File_write_at, MOG_MPI_FILE_WRITE_AT, 1, AT_OFFSET, offset)
NOW(File_write_at_all, MOG_MPI_FILE_WRITE_AT, 1, AT_OFFSET, offset)
BEGUN(File_iread_at, MOG_MPI_FILE_READ_AT, 0, AT_OFFSET, offset)
BEGUN(File_iread_at_all, MOG_MPI_FILE_READ_AT, 0, AT_OFFSET, offset)
BEGUN(File_iwrite_at, MOG_MPI_FILE_WRITE_AT, 1, AT_OFFSET, offset)
BEGUN(File_iwrite_at_all, MOG_MPI_FILE_WRITE_AT, 1, AT_OFFSET, offset)
NOW(File_read, MOG_MPI_FILE_READ, 0, AT_OWN, 0)
NOW(File_read_all, MOG_MPI_FILE_READ, 0, AT_OWN, 0)
NOW(File_write, MOG_MPI_FILE_WRITE, 1, AT_OWN, 0)
NOW(File_write_all, MOG_MPI_FILE_WRITE, 1, AT_OWN, 0)
BEGUN(File_iread, MOG_MPI_FILE_READ, 0, AT_OWN, 0)
BEGUN(File_iread_all, MOG_MPI_FILE_READ, 0, AT_OWN, 0)
BEGUN(File_iwrite, MOG_MPI_FILE_WRITE, 1, AT_OWN, 0)
BEGUN(File_iwrite_all, MOG_MPI_FILE_WRITE, 1, AT_OWN, 0)
NOW(File_read_shared, MOG_MPI_FILE_READ, 0, AT_SHARED, 0)
NOW(File_write_shared, MOG_MPI_FILE_WRITE, 1, AT_SHARED, 0)
BEGUN(File_iread_shared, MOG_MPI_FILE_READ, 0, AT_SHARED, 0)
BEGUN(File_iwrite_shared, MOG_MPI_FILE_WRITE, 1, AT_SHARED, 0)
NOW(File_read_ordered, MOG_MPI_FILE_READ, 0, AT_ORDERED, 0)
NOW(File_write_ordered, MOG_MPI_FILE_WRITE, 1, AT_ORDERED, 0)
IN_PARTS(File_read_at_all, MOG_MPI_FILE_READ_AT, , 0, AT_OFFSET, offset)
IN_PARTS(File_write_at_all, MOG_MPI_FILE_WRITE_AT, const, 1, AT_OFFSET, offset)
IN_PARTS(File_read_all, MOG_MPI_FILE_READ, , 0, AT_OWN, 0)
IN_PARTS(File_write_all, MOG_MPI_FILE_WRITE, const, 1, AT_OWN, 0)
IN_PARTS(File_read_ordered, MOG_MPI_FILE_READ, , 0, AT_ORDERED, 0)
IN_PARTS(File_write_ordered, MOG_MPI_FILE_WRITE, const, 1, AT_ORDERED, 0)
