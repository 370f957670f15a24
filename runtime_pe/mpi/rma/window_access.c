/* window_access.c: put, get and what combines, from their arguments to the engine. */
#include <stdlib.h>

#include "runtime_pe/mpi/coll/ops.h"
#include "runtime_pe/mpi/datatype/types.h"
#include "windows.h"

_Static_assert(sizeof(struct mpi_run) == sizeof(struct mog_mpi_target_run) &&
                   offsetof(struct mpi_run, stride) == offsetof(struct mog_mpi_target_run, stride),
               "the engine reads runs of types");

/* Programs without derived types have no table of them. */
#pragma weak __mog_mpi_type

/* A buffer of this PE. */
struct side {
    const void *buffer;
    int count;
    MPI_Datatype type;
};
/* An access as its function has it; what it does not have is 0. */
struct access {
    enum mog_mpi_access_kind kind;
    struct side origin, result;
    const void *compare;
    int target;
    MPI_Aint displacement;
    int count;
    MPI_Datatype type;
    MPI_Op op;
};

int __mog_mpi_list_find(const struct mpi_rank_list *list, int rank) {
    int i = list->count;
    while (--i >= 0 && list->ranks[i] != rank)
        ;
    return i;
}

static int may_access(const struct mpi_window *w, int rank) {
    if (w->epoch == MPI_EPOCH_FENCE || w->epoch == MPI_EPOCH_LOCK_ALL) return 1;
    return w->epoch != MPI_EPOCH_NONE && __mog_mpi_list_find(&w->access, rank) >= 0;
}

int __mog_mpi_window_flush(struct mpi_window *w) {
    struct mpi_kept *kept = w->kept;
    if (!kept || !kept->count) return MPI_SUCCESS;
    const int code = __mog_mpi_window_call(w, MOG_MPI_win_access, MPI_ADDRESS(kept->accesses), kept->count, 0, 0);
    for (unsigned i = 0; i < kept->count; i++) {
        struct mpi_after_access *a = kept->after + i;
        if (a->result.packed && code == MPI_SUCCESS) __mog_mpi_arrived(&a->result, a->buffer, a->count, a->type, a->result.bytes);
        else __mog_mpi_sent(&a->result);
        __mog_mpi_sent(&a->origin);
        mpi_use_type(a->type, 0);
        mpi_use_type(a->target_type, 0);
    }
    kept->count = 0;
    return code;
}

/* The target's side. Returns an error class. */
static int set_target(const struct mpi_window *w, const struct access *a, struct mog_mpi_access *to) {
    struct mpi_measure m;
    if (a->count < 0) return MPI_ERR_COUNT;
    if (__mog_mpi_measure(&m, a->type) != MPI_SUCCESS || !m.is_ready) return MPI_ERR_TYPE;
    if (m.bytes && (unsigned)a->count > 0x7fffffffu / m.bytes) return MPI_ERR_COUNT;
    to->bytes = (unsigned)a->count * m.bytes;
    to->displacement = (unsigned)a->displacement;
    to->offset = m.offset;
    to->extent = m.extent;
    const struct mpi_type *t = m.is_tight || !__mog_mpi_type ? NULL : __mog_mpi_type(a->type);
    const int is_one_block = t && a->count == 1 && t->run_count == 1 && t->runs->count == 1;
    if (t && !is_one_block) {
        to->offset = 0;
        to->runs = MPI_ADDRESS(t->runs);
        to->run_count = t->run_count;
    }
    if (w->flavor == MPI_WIN_FLAVOR_DYNAMIC || !to->bytes) return MPI_SUCCESS;
    if (a->displacement < 0) return MPI_ERR_DISP;
    /* Elsewhere only the engine knows how much there is. */
    const long long last = (long long)(a->count - 1) * m.extent, first = (long long)a->displacement * w->unit + m.offset;
    if (w->is_uniform && (first + (last < 0 ? last : 0) < 0 || first + (last > 0 ? last : 0) + m.span > w->size)) return MPI_ERR_RMA_RANGE;
    return MPI_SUCCESS;
}

static int check_op(const struct access *a, struct mog_mpi_access *to) {
    if (a->kind == MOG_MPI_SWAP) return mpi_type_id(a->type) ? MPI_SUCCESS : MPI_ERR_TYPE;
    if (a->kind != MOG_MPI_ACCUMULATE) return MPI_SUCCESS;
    to->type = (unsigned char)mpi_message_id(a->type);
    to->reduction = (unsigned char)mpi_op_id(a->op);
    return !to->reduction ? MPI_ERR_OP : !to->type && to->bytes ? MPI_ERR_TYPE : MPI_SUCCESS;
}

/* Origin and result, which have as many bytes as the target. What is packed is to be given back. */
static int set_sides(const struct access *a, struct mog_mpi_access *to, struct mpi_after_access *after) {
    int code = MPI_SUCCESS;
    if (a->origin.buffer || a->origin.count) {
        code = __mog_mpi_outgoing(&after->origin, a->origin.buffer, a->origin.count, a->origin.type);
        if (code == MPI_SUCCESS && after->origin.bytes != to->bytes) code = MPI_ERR_COUNT;
    }
    if (code == MPI_SUCCESS && a->result.type) {
        code = __mog_mpi_incoming(&after->result, (void *)a->result.buffer, a->result.count, a->result.type);
        if (code == MPI_SUCCESS && after->result.bytes != to->bytes) code = MPI_ERR_COUNT;
    }
    to->origin = MPI_ADDRESS(after->origin.start);
    to->result = MPI_ADDRESS(after->result.start);
    to->compare = MPI_ADDRESS(a->compare);
    return code;
}

static int keep(struct mpi_window *w, const struct access *a) {
    if (!w->kept && !(w->kept = calloc(1, sizeof *w->kept))) return MPI_ERR_NO_MEM;
    if (a->target != MPI_PROC_NULL && (a->target < 0 || a->target >= w->comm.size)) return MPI_ERR_RANK;
    if (a->target != MPI_PROC_NULL && !may_access(w, a->target)) return MPI_ERR_RMA_SYNC;
    struct mog_mpi_access *const to = w->kept->accesses + w->kept->count;
    struct mpi_after_access *const after = w->kept->after + w->kept->count;
    *to = (struct mog_mpi_access){.kind = (unsigned char)a->kind, .target = (unsigned)a->target};
    *after = (struct mpi_after_access){
        .buffer = (void *)a->result.buffer, .count = a->result.count, .type = a->result.type, .target_type = a->type};
    if (a->target == MPI_PROC_NULL) return a->count < 0 ? MPI_ERR_COUNT : MPI_SUCCESS;
    int code = set_target(w, a, to);
    if (code == MPI_SUCCESS) code = check_op(a, to);
    if (code == MPI_SUCCESS) code = set_sides(a, to, after);
    if (code != MPI_SUCCESS || !to->bytes) {
        __mog_mpi_sent(&after->origin);
        __mog_mpi_sent(&after->result);
        return code;
    }
    mpi_use_type(after->type, 1);
    mpi_use_type(after->target_type, 1);
    w->has_accessed = 1;
    return ++w->kept->count == MPI_KEPT_ACCESSES ? __mog_mpi_window_flush(w) : MPI_SUCCESS;
}

/* With a request it is done before the function returns. */
static int do_access(MPI_Win window, struct access a, MPI_Request *request, const char *function) {
    struct mpi_window *const w = __mog_mpi_window(window);
    int code = w ? keep(w, &a) : MPI_ERR_WIN;
    if (code == MPI_SUCCESS && request) {
        code = w->epoch == MPI_EPOCH_LOCK || w->epoch == MPI_EPOCH_LOCK_ALL ? __mog_mpi_window_flush(w) : MPI_ERR_RMA_SYNC;
        *request = MPI_REQUEST_DONE;
    }
    return __mog_mpi_window_failed(window, code, function);
}

#define TARGET .target = target, .displacement = displacement
#define PUT ((struct access){MOG_MPI_PUT, .origin = {origin, count, type}, TARGET, .count = target_count, .type = target_type})
#define GET ((struct access){MOG_MPI_GET, .result = {origin, count, type}, TARGET, .count = target_count, .type = target_type})
#define ACCUMULATE \
    ((struct access){MOG_MPI_ACCUMULATE, .origin = {origin, count, type}, TARGET, .count = target_count, .type = target_type, .op = op})
/* With MPI_NO_OP there need be no origin. */
#define GET_ACCUMULATE                                                                                                   \
    ((struct access){MOG_MPI_ACCUMULATE, .origin = {op == MPI_NO_OP ? NULL : origin, op == MPI_NO_OP ? 0 : count, type}, \
                     .result = {result, result_count, result_type}, TARGET, .count = target_count, .type = target_type, .op = op})

/* A function, and its form with a request. */
#define ARGUMENTS(...) __VA_ARGS__
#define BOTH(name, r_name, what, arguments)                                                             \
    MPI_DEFINE(name, arguments, MPI_Win window) { return do_access(window, what, NULL, __func__ + 1); } \
    MPI_DEFINE(r_name, arguments, MPI_Win window, MPI_Request *request) { return do_access(window, what, request, __func__ + 1); }

BOTH(Put, Rput, PUT,
     ARGUMENTS(const void *origin, int count, MPI_Datatype type, int target, MPI_Aint displacement, int target_count,
               MPI_Datatype target_type))
BOTH(Get, Rget, GET,
     ARGUMENTS(void *origin, int count, MPI_Datatype type, int target, MPI_Aint displacement, int target_count, MPI_Datatype target_type))
BOTH(Accumulate, Raccumulate, ACCUMULATE,
     ARGUMENTS(const void *origin, int count, MPI_Datatype type, int target, MPI_Aint displacement, int target_count,
               MPI_Datatype target_type, MPI_Op op))
BOTH(Get_accumulate, Rget_accumulate, GET_ACCUMULATE,
     ARGUMENTS(const void *origin, int count, MPI_Datatype type, void *result, int result_count, MPI_Datatype result_type, int target,
               MPI_Aint displacement, int target_count, MPI_Datatype target_type, MPI_Op op))

MPI_DEFINE(Fetch_and_op, const void *origin, void *result, MPI_Datatype type, int target, MPI_Aint displacement, MPI_Op op,
           MPI_Win window) {
    const int count = 1, result_count = 1, target_count = 1;
    const MPI_Datatype result_type = type, target_type = type;
    return do_access(window, GET_ACCUMULATE, NULL, __func__ + 1);
}

MPI_DEFINE(Compare_and_swap, const void *origin, const void *compare, void *result, MPI_Datatype type, int target, MPI_Aint displacement,
           MPI_Win window) {
    const struct access swap = {MOG_MPI_SWAP, {origin, 1, type}, {result, 1, type}, compare, TARGET, .count = 1, .type = type};
    return do_access(window, swap, NULL, __func__ + 1);
}
