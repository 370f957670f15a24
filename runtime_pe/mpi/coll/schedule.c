/* schedule.c: a reduction with a function of the program: its beginning, its messages, its end. */
#include <stdlib.h>

#include "schedule.h"

/* Room for vectors of elements as the type has them in memory; where element 0 begins. */
static char *new_vector(const struct mpi_schedule *s) {
    const long long last = (s->total ? s->total - 1 : 0) * (long long)s->type.extent;
    const long long bytes = (last < 0 ? -last : last) + s->type.span;
    char *const room = bytes < 0x7fffffff ? malloc(bytes ? (size_t)bytes : 1) : NULL;
    return room ? room - s->type.offset - (last < 0 ? last : 0) : NULL;
}

static void free_vector(const struct mpi_schedule *s, char *vector) {
    const long long last = (s->total ? s->total - 1 : 0) * (long long)s->type.extent;
    if (vector) free(vector + s->type.offset + (last < 0 ? last : 0));
}

/* Begins a message of a step, whose buffer has been made ready with `code`. */
static int begin(struct mpi_schedule *s, unsigned operation, struct mpi_message *m, int code) {
    if (code != MPI_SUCCESS) return code;
    const int said = (int)__mog_mpi_engine(MOG_MPI_WORD(operation, MOG_MPI_NONBLOCKING | (m->is_remote ? MOG_MPI_REMOTE : 0), 0, 0),
                                           s->context, (unsigned)s->rank, (unsigned)m->peer, (unsigned)s->tag, MPI_ADDRESS(m->bytes.start),
                                           m->bytes.bytes, MPI_ADDRESS(&m->result));
    m->number = said > 0 ? (unsigned)said : 0;
    __mog_mpi_number_given(m->number);
    return said < 0 ? -said : MPI_SUCCESS;
}

static int begin_messages(struct mpi_schedule *s) {
    struct mpi_message *const in = &s->receive, *const out = &s->send;
    const MPI_Datatype type = s->reduction.type;
    int code = MPI_SUCCESS;
    if (in->buffer) code = begin(s, MOG_MPI_receive, in, __mog_mpi_incoming(&in->bytes, in->buffer, in->count, type));
    if (out->buffer && code == MPI_SUCCESS)
        code = begin(s, MOG_MPI_send, out, __mog_mpi_outgoing(&out->bytes, out->buffer, out->count, type));
    return code;
}

/* Of a schedule that ends early. */
static void cancel(const struct mpi_message *m) {
    if (__mog_mpi_is_under_way(m)) __mog_mpi_engine(MOG_MPI_WORD(MOG_MPI_cancel, 0, 0, 0), m->number, 0, 0, 0, 0, 0, 0);
}

/* What came of a step's messages. */
static int end_messages(struct mpi_schedule *s) {
    struct mpi_message *const in = &s->receive, *const out = &s->send;
    int code = (int)(in->result.state >> 8);
    /* Too little comes where members do not agree about the count. */
    if (code == MPI_SUCCESS && in->buffer && in->result.bytes != in->bytes.bytes) code = MPI_ERR_NOT_SAME;
    if (in->buffer && in->bytes.packed) __mog_mpi_arrived(&in->bytes, in->buffer, in->count, s->reduction.type, in->result.bytes);
    __mog_mpi_sent(&out->bytes);
    return code;
}

static void deliver(struct mpi_schedule *s) {
    const struct mpi_reduction *r = &s->reduction;
    const char *from = s->own;
    int count = s->total;
    if (r->operation == MOG_MPI_reduce && (s->is_inter ? r->root != MPI_ROOT : s->rank != r->root)) return;
    if (r->operation == MOG_MPI_exscan) {
        from = s->before;
        if (!s->has_before) return;
    }
    if (r->operation == MOG_MPI_reduce_scatter || r->operation == MOG_MPI_reduce_scatter_block) {
        int begin = s->rank * r->count;
        count = r->counts ? r->counts[s->rank] : r->count;
        if (r->counts) {
            begin = 0;
            for (int i = 0; i < s->rank; i++) begin += r->counts[i];
        }
        from += (long)begin * s->type.extent;
    }
    __mog_mpi_copy_elements(r->receive, from, count, r->type);
}

static void end(struct mpi_schedule *s) {
    /* Others wait for this rank's messages, and it may wait for them: an error that ends the run does not wait to be asked for. */
    const struct mpi_comm *const c = __mog_mpi_comm(s->reduction.comm);
    if (s->error != MPI_SUCCESS && c && c->handler == MPI_ERRORS_ARE_FATAL)
        __mog_mpi_failed(s->reduction.comm, s->error, "a reduction with a function of the program");
    if (s->error == MPI_SUCCESS) deliver(s);
    cancel(&s->send);
    cancel(&s->receive);
    free_vector(s, s->own);
    free_vector(s, s->other);
    free_vector(s, s->before);
    __mog_mpi_sent(&s->send.bytes);
    __mog_mpi_sent(&s->receive.bytes);
    s->request->more.result.state = MOG_MPI_DONE | (unsigned)s->error << 8;
    free(s);
}

int __mog_mpi_advance(struct mpi_schedule *s) {
    for (;;) {
        if (__mog_mpi_is_under_way(&s->send) || __mog_mpi_is_under_way(&s->receive)) return 0;
        if (s->step) {
            s->error = end_messages(s);
            if (s->error == MPI_SUCCESS) __mog_mpi_end_step(s);
        }
        s->send.number = s->receive.number = s->send.result.state = s->receive.result.state = 0;
        if (s->error != MPI_SUCCESS || !__mog_mpi_next_step(s)) break;
        s->error = begin_messages(s);
        if (s->error != MPI_SUCCESS) break;
    }
    end(s);
    return 1;
}

static int prepare(struct mpi_schedule *s) {
    struct mpi_reduction *r = &s->reduction;
    struct mpi_comm *c = __mog_mpi_comm(r->comm);
    long long total = r->count;
    s->context = c->context | MOG_MPI_INTERNAL;
    s->rank = c->rank;
    s->size = c->size;
    s->is_inter = c->remote_size != 0;
    s->tag = (int)(c->sequence++ & 0x7fffffff);
    s->stage = "n";
    if (r->operation == MOG_MPI_reduce) {
        s->stage = "um";
    } else if (r->operation == MOG_MPI_allreduce) {
        s->stage = "ud";
    } else if (r->operation == MOG_MPI_reduce_scatter_block || r->operation == MOG_MPI_reduce_scatter) {
        s->stage = "us";
        total = r->counts ? 0 : total * c->size;
        for (int i = 0; r->counts && i < c->size; i++) {
            if (r->counts[i] < 0) return MPI_ERR_COUNT;
            total += r->counts[i];
        }
    }
    if (s->is_inter)
        s->stage = r->operation == MOG_MPI_allreduce ? "uxd"
                   : r->operation != MOG_MPI_reduce  ? "uxs"
                   : r->root == MPI_ROOT             ? "r"
                   : r->root >= 0                    ? "ut"
                                                     : "";
    if (total > 0x7fffffff) return MPI_ERR_COUNT;
    s->total = (int)total;
    s->own = new_vector(s);
    s->other = new_vector(s);
    if (r->operation == MOG_MPI_exscan) s->before = new_vector(s);
    if (!s->own || !s->other || (r->operation == MOG_MPI_exscan && !s->before)) return MPI_ERR_NO_MEM;
    if (!s->is_inter || r->operation != MOG_MPI_reduce || r->root >= 0) /* who is in the root's group sends nothing */
        __mog_mpi_copy_elements(s->own, r->send, s->total, r->type);
    return MPI_SUCCESS;
}

int __mog_mpi_run_schedule(const struct mpi_reduction *reduction, MPI_User_function *function, MPI_Request *request) {
    struct mpi_request *r = __mog_mpi_new_request(MPI_KIND_COLLECTIVE, reduction->comm);
    struct mpi_schedule *s = r ? calloc(1, sizeof *s) : NULL;
    if (!s) {
        if (r) __mog_mpi_free_request(r);
        return MPI_ERR_NO_MEM;
    }
    __mog_mpi_describe(r, NULL, 0, reduction->type, 0, 0); /* the type stays as long as the request */
    s->reduction = *reduction;
    s->function = function;
    s->request = r;
    __mog_mpi_measure(&s->type, reduction->type);
    s->error = prepare(s);
    /* Who cannot take part tells the others nothing: they wait, and the run ends with all that wait. */
    if (s->error != MPI_SUCCESS) end(s);
    else __mog_mpi_add_schedule(s);
    if (request && !(r->more.result.state >> 8)) {
        *request = r->handle;
        return MPI_SUCCESS;
    }
    __mog_mpi_wait_for_schedule(r);
    const int code = (int)(r->more.result.state >> 8);
    __mog_mpi_free_request(r);
    return code;
}
