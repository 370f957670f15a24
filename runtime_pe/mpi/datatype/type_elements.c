/* type_elements.c: which basic types a piece of packed data holds: how much of a type has come, and statuses that say it. */
#include "types.h"

/* Of `of` at most `bytes`, and how many those are. */
static unsigned some(MPI_Datatype of, unsigned long long most, unsigned *bytes, mpi_visit *visit, void *context) {
    const unsigned now = most < *bytes ? (unsigned)most : *bytes;
    *bytes -= now;
    return __mog_mpi_signature(of, now, visit, context);
}

unsigned __mog_mpi_signature(MPI_Datatype type, unsigned bytes, mpi_visit *visit, void *context) {
    const struct mpi_type *t = __mog_mpi_type(type);
    if (!t) {
        const unsigned size = __mog_mpi_basic_size(type);
        if (bytes >= size) visit(type, bytes / size, context);
        return bytes % size;
    }
    if (!t->bytes) return 0;
    const MPI_Datatype *of = t->contents + t->integers + t->addresses;
    /* All but structures are many of one type. */
    if (t->combiner != MPI_COMBINER_STRUCT) return __mog_mpi_signature(*of, bytes, visit, context);
    unsigned left = 0;
    while (bytes && !left) {
        for (int i = 0; i < t->types && bytes && !left; i++) {
            struct mpi_shape part;
            struct mpi_run run;
            if (__mog_mpi_shape(&part, &run, of[i]) && part.bytes)
                left = some(of[i], (unsigned long long)t->contents[1 + i] * (unsigned)part.bytes, &bytes, visit, context);
        }
    }
    return left;
}

static void count_elements(MPI_Datatype basic, unsigned count, void *context) {
    *(unsigned *)context += mpi_is_pair(basic) ? 2 * count : count;
}

static int elements(const MPI_Status *status, MPI_Datatype type, MPI_Count *count) {
    struct mpi_shape shape;
    struct mpi_run run;
    const long long bytes = mpi_status_bytes(status);
    if (!__mog_mpi_shape(&shape, &run, type)) return MPI_ERR_TYPE;
    *count = 0;
    if (!shape.bytes || !bytes) {
        *count = bytes ? MPI_UNDEFINED : 0;
        return MPI_SUCCESS;
    }
    unsigned rest = 0;
    *count = bytes / shape.bytes * shape.elements;
    if (__mog_mpi_signature(type, (unsigned)(bytes % shape.bytes), count_elements, &rest)) *count = MPI_UNDEFINED;
    else *count += rest;
    return MPI_SUCCESS;
}

MPI_DEFINE(Get_elements_x, const MPI_Status *status, MPI_Datatype type, MPI_Count *count) {
    MPI_RETURN(MPI_COMM_WORLD, elements(status, type, count));
}

MPI_DEFINE(Get_elements, const MPI_Status *status, MPI_Datatype type, int *count) {
    MPI_Count wide = 0;
    const int code = elements(status, type, &wide);
    *count = wide > 0x7fffffff ? MPI_UNDEFINED : (int)wide;
    MPI_RETURN(MPI_COMM_WORLD, code);
}

static void add_bytes(MPI_Datatype basic, unsigned count, void *context) {
    unsigned *const rest = context, own = mpi_is_pair(basic) ? 2 : 1;
    const unsigned now = rest[0] < count * own ? rest[0] : count * own;
    rest[0] -= now;
    /* Half a pair is its first member. */
    rest[1] += now / own * __mog_mpi_basic_size(basic) + now % own * (__mog_mpi_basic_size(basic) / 2);
}

static int set_elements(MPI_Status *status, MPI_Datatype type, MPI_Count count) {
    struct mpi_shape shape;
    struct mpi_run run;
    if (!__mog_mpi_shape(&shape, &run, type)) return MPI_ERR_TYPE;
    if (count < 0) return MPI_ERR_COUNT;
    unsigned rest[2] = {0, 0};
    MPI_Count whole = 0;
    if (shape.elements) {
        whole = count / shape.elements;
        rest[0] = (unsigned)(count % shape.elements);
        __mog_mpi_signature(type, (unsigned)shape.bytes, add_bytes, rest);
    }
    MPI_Count bytes;
    if (__builtin_mul_overflow(whole, (MPI_Count)shape.bytes, &bytes) || __builtin_add_overflow(bytes, rest[1], &bytes))
        return MPI_ERR_COUNT;
    status->count_lo = (int)bytes;
    status->count_hi_and_cancelled = (int)(bytes >> 32 << 1) | (status->count_hi_and_cancelled & 1);
    return MPI_SUCCESS;
}

MPI_DEFINE(Status_set_elements, MPI_Status *status, MPI_Datatype type, int count) {
    MPI_RETURN(MPI_COMM_WORLD, set_elements(status, type, count));
}
MPI_DEFINE(Status_set_elements_x, MPI_Status *status, MPI_Datatype type, MPI_Count count) {
    MPI_RETURN(MPI_COMM_WORLD, set_elements(status, type, count));
}

MPI_DEFINE(Status_set_cancelled, MPI_Status *status, int flag) {
    status->count_hi_and_cancelled = (status->count_hi_and_cancelled & ~1) | (flag != 0);
    return MPI_SUCCESS;
}
