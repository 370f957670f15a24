/* file_views.c: setting views, and asking about them. */
#include <string.h>

#include "files.h"
#include "runtime_pe/mpi/datatype/types.h"

#pragma weak __mog_mpi_new_handle

/* What a file may let through, by the standard: displacements that are not negative and do not fall; and where it is written, no byte
 * twice. */
static int check_layout(const struct mpi_file *f, MPI_Datatype layout) {
    struct mpi_run one;
    unsigned count;
    long long begin = 0, end = 0;
    const struct mpi_run *runs = __mog_mpi_file_runs(layout, &one, &count);
    const int is_written = !(f->mode & MPI_MODE_RDONLY);
    for (unsigned k = 0; k < count; k++) {
        const struct mpi_run *run = runs + k;
        if (!run->count || !run->bytes) continue;
        const int stride = run->count > 1 ? run->stride : 0;
        if (run->offset < begin || stride < 0 || (is_written && (run->offset < end || (run->count > 1 && stride < (int)run->bytes))))
            return MPI_ERR_IO;
        begin = run->offset + (long long)stride * (run->count - 1);
        end = begin + run->bytes;
    }
    return MPI_SUCCESS;
}

/* The new view of `f`, in a copy of it. Returns an error class. */
static int make_view(struct mpi_file *f, MPI_Datatype etype, MPI_Datatype filetype, const char *representation) {
    MPI_Datatype element = etype;
    int code = MPI_SUCCESS;
    f->etype = etype;
    f->filetype = f->layout = filetype;
    f->is_external = strcmp(representation, "external32") == 0;
    if (!f->is_external && strcmp(representation, "native") && strcmp(representation, "internal")) return MPI_ERR_UNSUPPORTED_DATAREP;
    strcpy(f->representation, representation);
    if (__mog_mpi_measure(&f->element, etype) != MPI_SUCCESS || __mog_mpi_measure(&f->tile, filetype) != MPI_SUCCESS ||
        !f->element.is_ready || !f->tile.is_ready)
        return MPI_ERR_TYPE;
    if (f->is_external && (code = __mog_mpi_external_layout(etype, &element)) == MPI_SUCCESS) {
        code = __mog_mpi_measure(&f->element, element);
        if (code == MPI_SUCCESS) code = check_layout(f, element);
        mpi_free_layout(element);
        if (code == MPI_SUCCESS && (code = __mog_mpi_external_layout(filetype, &f->layout)) == MPI_SUCCESS)
            code = __mog_mpi_measure(&f->tile, f->layout);
    } else if (code == MPI_SUCCESS) {
        code = check_layout(f, etype);
    }
    if (code == MPI_SUCCESS)
        code = !f->element.bytes || f->tile.bytes % f->element.bytes ? MPI_ERR_TYPE
               : f->tile.extent < 0                                  ? MPI_ERR_IO
                                                                     : check_layout(f, f->layout);
    return code;
}

void __mog_mpi_file_forget_view(struct mpi_file *f) {
    if (f->is_external && f->layout != f->filetype) mpi_free_layout(f->layout);
    mpi_use_type(f->etype, 0);
    mpi_use_type(f->filetype, 0);
}

MPI_DEFINE(File_set_view, MPI_File file, MPI_Offset displacement, MPI_Datatype etype, MPI_Datatype filetype, const char *representation,
           MPI_Info info) {
    (void)info;
    struct mpi_file *f = __mog_mpi_file(file);
    if (!f) MPI_FILE_RETURN(file, MPI_ERR_FILE);
    int code = MPI_SUCCESS;
    /* Files of mode MPI_MODE_SEQUENTIAL have nothing but the shared pointer. */
    if (f->mode & MPI_MODE_SEQUENTIAL && displacement == MPI_DISPLACEMENT_CURRENT) {
        MPI_Offset now;
        code = __mog_mpi_file_shared(f, &now);
        if (code == MPI_SUCCESS) displacement = __mog_mpi_file_place(f, now);
    }
    if (code == MPI_SUCCESS && displacement < 0) code = MPI_ERR_ARG;
    struct mpi_file viewed = *f;
    if (code == MPI_SUCCESS && (code = make_view(&viewed, etype, filetype, representation)) != MPI_SUCCESS && viewed.layout != filetype)
        mpi_free_layout(viewed.layout);
    if (code != MPI_SUCCESS) MPI_FILE_RETURN(file, code);
    mpi_use_type(etype, 1);
    mpi_use_type(filetype, 1);
    __mog_mpi_file_forget_view(f);
    *f = viewed;
    f->displacement = displacement;
    f->position = 0;
    /* The shared pointer is at the beginning, too, before anybody uses it again. */
    if ((code = __mog_mpi_file_barrier(f)) == MPI_SUCCESS && f->comm.rank == 0) code = __mog_mpi_file_set(f, 0);
    const int failed = __mog_mpi_file_barrier(f);
    MPI_FILE_RETURN(file, code != MPI_SUCCESS ? code : failed);
}

MPI_DEFINE(File_get_view, MPI_File file, MPI_Offset *displacement, MPI_Datatype *etype, MPI_Datatype *filetype, char *representation) {
    const struct mpi_file *f = __mog_mpi_file(file);
    if (!f) MPI_FILE_RETURN(file, MPI_ERR_FILE);
    *displacement = f->displacement;
    *etype = f->etype;
    *filetype = f->filetype;
    strcpy(representation, f->representation);
    /* Handles of derived types are the caller's, to be freed. */
    if (__mog_mpi_new_handle) {
        __mog_mpi_new_handle(f->etype);
        __mog_mpi_new_handle(f->filetype);
    }
    return MPI_SUCCESS;
}

MPI_DEFINE(File_get_byte_offset, MPI_File file, MPI_Offset offset, MPI_Offset *bytes) {
    const struct mpi_file *f = __mog_mpi_file(file);
    if (!f || offset < 0) MPI_FILE_RETURN(file, f ? MPI_ERR_ARG : MPI_ERR_FILE);
    *bytes = f->tile.bytes ? __mog_mpi_file_place(f, offset * f->element.bytes) : f->displacement;
    return MPI_SUCCESS;
}

/* As the type lies in the file. */
MPI_DEFINE(File_get_type_extent, MPI_File file, MPI_Datatype type, MPI_Aint *extent) {
    const struct mpi_file *f = __mog_mpi_file(file);
    struct mpi_measure m;
    MPI_Datatype layout = type;
    int code = !f ? MPI_ERR_FILE : __mog_mpi_measure(&m, type) != MPI_SUCCESS ? MPI_ERR_TYPE : MPI_SUCCESS;
    if (code == MPI_SUCCESS && f->is_external && (code = __mog_mpi_external_layout(type, &layout)) == MPI_SUCCESS) {
        code = __mog_mpi_measure(&m, layout);
        mpi_free_layout(layout);
    }
    if (code == MPI_SUCCESS) *extent = m.extent;
    MPI_FILE_RETURN(file, code);
}
