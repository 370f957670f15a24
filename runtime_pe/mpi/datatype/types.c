/* types.c: how large types are, and buffers of them as bytes that lie one after the other. */
#include <stdlib.h>
#include <string.h>

#include "types.h"

unsigned __mog_mpi_other_size(MPI_Datatype type) {
    static const unsigned char pairs[] = {8, 16, 8, 8, 16}; /* with their gaps */
    const unsigned id = mpi_type_id(type);
    if (id & 0x80) return pairs[id & 0x7f];
    if ((unsigned)type & 0xff0000) return 0;
    switch (id) {
#define MOG_MPI_TYPE(name, type, kind) case MOG_MPI_TYPE_ID(MPI_##name):
#include "abi/mpi_types.def"
        case MPI_PACKED & 0xff: return (unsigned)type >> 8 & 0xff;
        default: return 0;
    }
}

unsigned __mog_mpi_number_size(MPI_Datatype type) {
    enum { Integer, Floating, Complex, Logical, Bits, Pair };
    const unsigned bytes = __mog_mpi_basic_size(type);
    switch (mpi_type_id(type)) {
/* clang-format off */
#define MOG_MPI_TYPE(name, type, kind) case MOG_MPI_TYPE_ID(MPI_##name): return kind == Complex || kind == Pair ? bytes / 2 : bytes;
#include "abi/mpi_types.def"
            /* clang-format on */
        default: return bytes;
    }
}

unsigned __mog_mpi_basic_data(MPI_Datatype type) {
    static const unsigned char pairs[] = {8, 12, 8, 6, 12};
    const unsigned id = mpi_type_id(type);
    return id & 0x80 ? pairs[id & 0x7f] : __mog_mpi_basic_size(type);
}

/* What concerns derived types is there only in programs that make some. */
#pragma weak __mog_mpi_type
#pragma weak __mog_mpi_keep_type
#pragma weak __mog_mpi_release_type
#pragma weak __mog_mpi_derived_buffer
#pragma weak __mog_mpi_pack
#pragma weak __mog_mpi_unpack

static const struct mpi_type *derived(MPI_Datatype type) {
    return (unsigned)type >= MPI_FIRST_DERIVED && __mog_mpi_type ? __mog_mpi_type(type) : NULL;
}

unsigned __mog_mpi_derived_id(MPI_Datatype type) {
    const struct mpi_type *t = derived(type);
    return t ? t->id : 0;
}

void __mog_mpi_use_type(MPI_Datatype type, int more) {
    MPI_HOLD_TABLES
    if (!derived(type)) return;
    if (more) __mog_mpi_keep_type(type);
    else __mog_mpi_release_type(type);
}

int __mog_mpi_measure(struct mpi_measure *m, MPI_Datatype type) {
    const struct mpi_type *t = derived(type);
    const unsigned size = __mog_mpi_basic_size(type);
    *m = (struct mpi_measure){size, (int)size, 0, size, 1, 1};
    if (t) {
        const int one_block = t->run_count == 1 && t->runs->count == 1;
        *m = (struct mpi_measure){
            t->bytes,    t->ub - t->lb, t->true_lb, (unsigned)(t->true_ub - t->true_lb), one_block && (unsigned)(t->ub - t->lb) == t->bytes,
            t->committed};
    }
    return t || size ? MPI_SUCCESS : MPI_ERR_TYPE;
}

void __mog_mpi_copy_out(void *to, const void *buffer, int count, MPI_Datatype type) {
    const struct mpi_type *t = derived(type);
    if (t) __mog_mpi_pack(to, buffer, count, t);
    else memcpy(to, buffer, (size_t)count * __mog_mpi_basic_size(type));
}

void __mog_mpi_copy_in(const void *from, unsigned bytes, void *buffer, int count, MPI_Datatype type) {
    const struct mpi_type *t = derived(type);
    const unsigned most = t ? 0 : (unsigned)count * __mog_mpi_basic_size(type);
    if (t) __mog_mpi_unpack(from, bytes, buffer, count, t);
    else memcpy(buffer, from, bytes < most ? bytes : most);
}

void __mog_mpi_copy_elements(void *to, const void *from, int count, MPI_Datatype type) {
    struct mpi_bytes bytes;
    /* Packing may fail for want of memory only; then element by element, whose copies are smaller. */
    if (__mog_mpi_outgoing(&bytes, from, count, type) == MPI_SUCCESS) __mog_mpi_copy_in(bytes.start, bytes.bytes, to, count, type);
    __mog_mpi_sent(&bytes);
}

static int any_bytes(struct mpi_bytes *bytes, void *buffer, int count, MPI_Datatype type, int outgoing) {
    const unsigned size = __mog_mpi_basic_size(type);
    if (derived(type)) return __mog_mpi_derived_buffer(bytes, buffer, count, type, outgoing);
    if (count < 0) return MPI_ERR_COUNT;
    if (!size) return MPI_ERR_TYPE;
    if ((unsigned)count > 0x7fffffffu / size) return MPI_ERR_COUNT;
    *bytes = (struct mpi_bytes){buffer, (unsigned)count * size, NULL};
    return MPI_SUCCESS;
}

int __mog_mpi_other_outgoing(struct mpi_bytes *bytes, const void *buffer, int count, MPI_Datatype type) {
    return any_bytes(bytes, (void *)buffer, count, type, 1);
}

int __mog_mpi_other_incoming(struct mpi_bytes *bytes, void *buffer, int count, MPI_Datatype type) {
    return any_bytes(bytes, buffer, count, type, 0);
}

void __mog_mpi_arrived(struct mpi_bytes *bytes, void *buffer, int count, MPI_Datatype type, unsigned came) {
    if (bytes->packed) __mog_mpi_copy_in(bytes->packed, came, buffer, count, type);
    __mog_mpi_sent(bytes);
}

void __mog_mpi_sent(struct mpi_bytes *bytes) {
    free(bytes->packed);
    bytes->packed = NULL;
}

MPI_DEFINE(Type_size, MPI_Datatype type, int *size) {
    const struct mpi_type *t = derived(type);
    const unsigned bytes = t ? t->size : __mog_mpi_basic_data(type);
    if (!t && !bytes && type != MPI_LB && type != MPI_UB) MPI_RETURN(MPI_COMM_WORLD, MPI_ERR_TYPE);
    *size = (int)bytes;
    return MPI_SUCCESS;
}

MPI_DEFINE(Get_count, const MPI_Status *status, MPI_Datatype type, int *count) {
    const long long came = mpi_status_bytes(status);
    struct mpi_measure m;
    if (__mog_mpi_measure(&m, type) != MPI_SUCCESS) MPI_RETURN(MPI_COMM_WORLD, MPI_ERR_TYPE);
    if (!m.bytes) *count = came ? MPI_UNDEFINED : 0;
    else *count = came % m.bytes || came / m.bytes > 0x7fffffff ? MPI_UNDEFINED : (int)(came / m.bytes);
    return MPI_SUCCESS;
}
