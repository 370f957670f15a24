/* requests.c: waiting for one request, and looking at it. What is done already needs no call of the engine. */
#include <stdlib.h>

#include "requests.h"

enum mpi_look __mog_mpi_look(MPI_Request handle, struct mpi_request **request) {
    *request = NULL;
    if (handle == MPI_REQUEST_NULL) return LOOK_NOTHING;
    if (handle == MPI_REQUEST_DONE) return LOOK_DONE;
    struct mpi_request *r = *request = __mog_mpi_request(handle);
    if (!r) return LOOK_ERROR;
    return !r->active ? LOOK_NOTHING : __mog_mpi_is_done(r) ? LOOK_DONE : LOOK_PENDING;
}

/* Returns what a function of the program returned, which fills the status of a generalized request. */
static int tell(const struct mpi_request *r, MPI_Status *status) {
    if (r && r->kind == MPI_KIND_GENERAL) return __mog_mpi_query_general(r, status);
    if (r && r->kind == MPI_KIND_RECEIVE) mpi_set_status(status, r->more.result.source, r->more.result.tag, r->more.result.bytes);
    else mpi_set_status(status, MPI_ANY_SOURCE, MPI_ANY_TAG, 0);
    if (status != MPI_STATUS_IGNORE && r && r->more.result.state & MOG_MPI_CANCELLED) status->count_hi_and_cancelled = 1;
    return MPI_SUCCESS;
}

int __mog_mpi_finish(MPI_Request *handle, struct mpi_request *r, MPI_Status *status) {
    int code = tell(r, status);
    if (!r) {
        *handle = MPI_REQUEST_NULL;
        return code;
    }
    if (r->kind == MPI_KIND_GENERAL) {
        const int failed = __mog_mpi_free_general(r);
        *handle = MPI_REQUEST_NULL;
        return code != MPI_SUCCESS ? code : failed;
    }
    code = (int)(r->more.result.state >> 8);
    __mog_mpi_settle(r);
    r->number = 0;
    if (r->persistent) {
        r->active = 0;
    } else {
        __mog_mpi_free_request(r);
        *handle = MPI_REQUEST_NULL;
    }
    return code;
}

/* Where several threads may call, for a round at least: not all may be done then. */
static void wait_for(unsigned list, unsigned count, unsigned need) {
    __mog_mpi(MOG_MPI_WORD(MOG_MPI_wait, 0, 0, 0), list, count, need, 0, 0, 0, 0);
}

void __mog_mpi_yield(void) { __mog_mpi(MOG_MPI_WORD(MOG_MPI_yield, 0, 0, 0), 0, 0, 0, 0, 0, 0, 0); }

/* The engine's numbers of what is pending, to `numbers` if it is not null. Returns how many they are. */
static unsigned numbers_of(const struct mpi_request *r, unsigned *numbers) {
    unsigned count = 0;
    if (r->kind == MPI_KIND_GENERAL) return 0;
    if (r->kind != MPI_KIND_PARTS) {
        if (numbers) *numbers = r->number;
        return 1;
    }
    for (unsigned i = 0; i < r->parts->count; i++) {
        const struct mpi_part *const part = r->parts->part + i;
        if (!part->number || part->result.state) continue;
        if (numbers) numbers[count] = part->number;
        count++;
    }
    return count;
}

/* Waits once for `total` numbers. False: no memory. */
static int wait_for_numbers(int count, const MPI_Request *requests, unsigned total, int all) {
    enum { FEW = 32 };
    unsigned few[FEW], *numbers = total <= FEW ? few : malloc(total * sizeof *numbers), filled = 0;
    struct mpi_request *r;
    if (!numbers) return 0;
    for (int i = 0; i < count; i++)
        if (__mog_mpi_look(requests[i], &r) == LOOK_PENDING) filled += numbers_of(r, numbers + filled);
    wait_for(total == 1 ? numbers[0] : MPI_ADDRESS(numbers), total, all ? total : 1);
    if (numbers != few) free(numbers);
    return 1;
}

int __mog_mpi_wait_for(int count, const MPI_Request *requests, int all, const char *function) {
    for (int has_yielded = 0;;) {
        unsigned total = 0;
        int pending = 0, done = 0;
        for (int i = 0; i < count; i++) {
            struct mpi_request *r;
            const enum mpi_look seen = __mog_mpi_look(requests[i], &r);
            done += seen == LOOK_DONE;
            pending += seen == LOOK_PENDING;
            total += seen == LOOK_PENDING ? numbers_of(r, NULL) : 0;
        }
        if (!pending || (done && !all)) return MPI_SUCCESS;
        if (total) {
            if (!wait_for_numbers(count, requests, total, all)) return __mog_mpi_failed(MPI_COMM_WORLD, MPI_ERR_NO_MEM, function);
        } else if (!has_yielded) {
            __mog_mpi_yield(); /* functions of the program may run in it */
            has_yielded = 1;
        } else {
            return __mog_mpi_failed(MPI_COMM_WORLD, MPI_ERR_REQUEST,
                                    "a wait for a generalized request that nobody can complete, for a PE has one thread");
        }
    }
}

MPI_DEFINE(Wait, MPI_Request *request, MPI_Status *status) {
    struct mpi_request *r;
    int code;
    switch (__mog_mpi_look(*request, &r)) {
        case LOOK_ERROR: MPI_RETURN(MPI_COMM_WORLD, MPI_ERR_REQUEST);
        case LOOK_NOTHING: mpi_set_empty_status(status); return MPI_SUCCESS;
        case LOOK_PENDING:
            if (r->kind <= MPI_KIND_COLLECTIVE) {
                do wait_for(r->number, 1, 1);
                while (__mog_mpi_look(*request, &r) == LOOK_PENDING);
            } else if ((code = __mog_mpi_wait_for(1, request, 1, __func__ + 1)) != MPI_SUCCESS) return code;
            break;
        case LOOK_DONE: break;
    }
    const MPI_Comm comm = mpi_comm_of(r);
    MPI_RETURN(comm, __mog_mpi_finish(request, r, status));
}

MPI_DEFINE(Test, MPI_Request *request, int *flag, MPI_Status *status) {
    struct mpi_request *r;
    enum mpi_look seen = __mog_mpi_look(*request, &r);
    if (seen == LOOK_PENDING) {
        __mog_mpi_yield();
        seen = __mog_mpi_look(*request, &r);
    }
    if (seen == LOOK_ERROR) MPI_RETURN(MPI_COMM_WORLD, MPI_ERR_REQUEST);
    *flag = seen != LOOK_PENDING;
    if (seen == LOOK_NOTHING) mpi_set_empty_status(status);
    if (seen != LOOK_DONE) return MPI_SUCCESS;
    const MPI_Comm comm = mpi_comm_of(r);
    MPI_RETURN(comm, __mog_mpi_finish(request, r, status));
}

MPI_DEFINE(Request_get_status, MPI_Request request, int *flag, MPI_Status *status) {
    struct mpi_request *r;
    enum mpi_look seen = __mog_mpi_look(request, &r);
    if (seen == LOOK_PENDING) {
        __mog_mpi_yield();
        seen = __mog_mpi_look(request, &r);
    }
    if (seen == LOOK_ERROR) MPI_RETURN(MPI_COMM_WORLD, MPI_ERR_REQUEST);
    *flag = seen != LOOK_PENDING;
    if (seen == LOOK_NOTHING) mpi_set_empty_status(status);
    MPI_RETURN(mpi_comm_of(r), seen == LOOK_DONE ? tell(r, status) : MPI_SUCCESS);
}

MPI_DEFINE(Request_free, MPI_Request *request) {
    struct mpi_request *r;
    switch (__mog_mpi_look(*request, &r)) {
        case LOOK_ERROR:
        case LOOK_NOTHING:
            if (!r) MPI_RETURN(MPI_COMM_WORLD, MPI_ERR_REQUEST);
            __mog_mpi_free_request(r);
            break;
        case LOOK_DONE:
            if (r && r->kind == MPI_KIND_GENERAL) {
                *request = MPI_REQUEST_NULL;
                MPI_RETURN(MPI_COMM_WORLD, __mog_mpi_free_general(r));
            }
            if (r) r->persistent = 0;
            __mog_mpi_finish(request, r, MPI_STATUS_IGNORE);
            break;
        case LOOK_PENDING: r->abandoned = 1; break;
    }
    *request = MPI_REQUEST_NULL;
    return MPI_SUCCESS;
}

MPI_DEFINE(Cancel, MPI_Request *request) {
    struct mpi_request *r;
    const enum mpi_look seen = __mog_mpi_look(*request, &r);
    if (seen == LOOK_ERROR || seen == LOOK_NOTHING) MPI_RETURN(MPI_COMM_WORLD, MPI_ERR_REQUEST);
    if (r && r->kind == MPI_KIND_GENERAL) MPI_RETURN(MPI_COMM_WORLD, __mog_mpi_cancel_general(r));
    if (seen == LOOK_PENDING && (r->kind == MPI_KIND_SEND || r->kind == MPI_KIND_RECEIVE))
        __mog_mpi(MOG_MPI_WORD(MOG_MPI_cancel, 0, 0, 0), r->number, 0, 0, 0, 0, 0, 0);
    return MPI_SUCCESS;
}

MPI_DEFINE(Test_cancelled, const MPI_Status *status, int *flag) {
    *flag = status->count_hi_and_cancelled & 1;
    return MPI_SUCCESS;
}
