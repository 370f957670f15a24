/* requests.c: waiting for requests, and testing them. The engine says in a request's result block that it is done; a call is made only to
 * wait, or, between two tests, to let others go on. */
#include <stdlib.h>

#include "mpi_internal.h"

/* Null requests, and persistent ones that were not started, count as done, without a status. */
enum look { LOOK_ERROR, LOOK_NOTHING, LOOK_DONE, LOOK_PENDING };

static enum look look(MPI_Request handle, struct mpi_request **request)
{
    *request = NULL;
    if (handle == MPI_REQUEST_NULL)
        return LOOK_NOTHING;
    if (handle == MPI_REQUEST_DONE)
        return LOOK_DONE;
    struct mpi_request *r = *request = __mog_mpi_request(handle);
    if (!r)
        return LOOK_ERROR;
    return !r->active ? LOOK_NOTHING : r->more.result.state ? LOOK_DONE : LOOK_PENDING;
}

static void tell(const struct mpi_request *r, MPI_Status *status)
{
    if (!r || r->kind != MPI_KIND_RECEIVE) {
        const unsigned cancelled = r ? r->more.result.state & MOG_MPI_CANCELLED : 0;
        mpi_set_status(status, MPI_ANY_SOURCE, MPI_ANY_TAG, 0);
        if (status != MPI_STATUS_IGNORE && cancelled)
            status->count_hi_and_cancelled = 1;
        return;
    }
    mpi_set_status(status, r->more.result.source, r->more.result.tag, r->more.result.bytes);
    if (status != MPI_STATUS_IGNORE && r->more.result.state & MOG_MPI_CANCELLED)
        status->count_hi_and_cancelled = 1;
}

/* A request that is done: its end. Returns its error class. */
static int finish(MPI_Request *handle, struct mpi_request *r, MPI_Status *status)
{
    tell(r, status);
    if (!r) {
        *handle = MPI_REQUEST_NULL;
        return MPI_SUCCESS;
    }
    const int code = (int)(r->more.result.state >> 8);
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

static void wait_for(unsigned list, unsigned count, unsigned need)
{
    __mog_mpi(MOG_MPI_WORD(MOG_MPI_wait, 0, 0, 0), list, count, need, 0, 0, 0, 0);
}

static void yield(void) { __mog_mpi(MOG_MPI_WORD(MOG_MPI_yield, 0, 0, 0), 0, 0, 0, 0, 0, 0, 0); }

/* Until `all` of them are done, or one of those that are pending. Returns an error class. */
static int wait_for_some(int count, const MPI_Request *requests, int all)
{
    enum { FEW = 32 };
    unsigned few[FEW], *numbers = few, pending = 0;
    struct mpi_request *r;
    if (count > FEW && !(numbers = malloc((size_t)count * sizeof *numbers)))
        return MPI_ERR_NO_MEM;
    for (int i = 0; i < count; i++)
        if (look(requests[i], &r) == LOOK_PENDING)
            numbers[pending++] = r->number;
    if (pending)
        wait_for(pending == 1 ? numbers[0] : MPI_ADDRESS(numbers), pending, all ? pending : 1);
    if (numbers != few)
        free(numbers);
    return MPI_SUCCESS;
}

static MPI_Comm comm_of(const struct mpi_request *r) { return r ? r->comm : MPI_COMM_WORLD; }

MPI_DEFINE(Wait, MPI_Request *request, MPI_Status *status)
{
    struct mpi_request *r;
    switch (look(*request, &r)) {
    case LOOK_ERROR:
        MPI_RETURN(MPI_COMM_WORLD, MPI_ERR_REQUEST);
    case LOOK_NOTHING:
        mpi_set_empty_status(status);
        return MPI_SUCCESS;
    case LOOK_PENDING:
        wait_for(r->number, 1, 1);
        break;
    case LOOK_DONE:
        break;
    }
    const MPI_Comm comm = comm_of(r);
    MPI_RETURN(comm, finish(request, r, status));
}

MPI_DEFINE(Test, MPI_Request *request, int *flag, MPI_Status *status)
{
    struct mpi_request *r;
    enum look seen = look(*request, &r);
    if (seen == LOOK_PENDING) {
        yield();
        seen = look(*request, &r);
    }
    if (seen == LOOK_ERROR)
        MPI_RETURN(MPI_COMM_WORLD, MPI_ERR_REQUEST);
    *flag = seen != LOOK_PENDING;
    if (seen == LOOK_NOTHING)
        mpi_set_empty_status(status);
    if (seen != LOOK_DONE)
        return MPI_SUCCESS;
    const MPI_Comm comm = comm_of(r);
    MPI_RETURN(comm, finish(request, r, status));
}

/* Lists: how many are pending and done. False: one is no request, or the count is none. */
static int survey(int count, const MPI_Request *requests, int *pending, int *done)
{
    struct mpi_request *r;
    *pending = *done = 0;
    for (int i = 0; i < count; i++)
        switch (look(requests[i], &r)) {
        case LOOK_ERROR:
            return 0;
        case LOOK_PENDING:
            ++*pending;
            break;
        case LOOK_DONE:
            ++*done;
            break;
        case LOOK_NOTHING:
            break;
        }
    return count >= 0;
}

/* The last one of a list that went wrong. */
struct failure {
    MPI_Comm comm;
    int code;
};

/* One of a list, whose outcome stands in its status, if there is one. */
static void finish_one(MPI_Request *handle, struct mpi_request *r, MPI_Status *status, struct failure *failed)
{
    const MPI_Comm comm = comm_of(r);
    const int code = finish(handle, r, status);
    if (status != MPI_STATUS_IGNORE)
        status->MPI_ERROR = code;
    if (code != MPI_SUCCESS)
        *failed = (struct failure){comm, code};
}

/* Nobody will look into statuses after an error that ends the run, so that says what went wrong itself. */
static int finish_list(struct failure failed, const char *function)
{
    if (failed.code == MPI_SUCCESS)
        return MPI_SUCCESS;
    const struct mpi_comm *c = __mog_mpi_comm(failed.comm);
    return __mog_mpi_failed(failed.comm, c && c->handler == MPI_ERRORS_ARE_FATAL ? failed.code : MPI_ERR_IN_STATUS, function);
}

static int finish_all(int count, MPI_Request *requests, MPI_Status *statuses, const char *function)
{
    struct failure failed = {MPI_COMM_NULL, MPI_SUCCESS};
    for (int i = 0; i < count; i++) {
        MPI_Status *status = statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : statuses + i;
        struct mpi_request *r;
        if (look(requests[i], &r) == LOOK_NOTHING)
            mpi_set_empty_status(status);
        else
            finish_one(requests + i, r, status, &failed);
    }
    return finish_list(failed, function);
}

MPI_DEFINE(Waitall, int count, MPI_Request requests[], MPI_Status statuses[])
{
    int pending, done;
    if (!survey(count, requests, &pending, &done))
        MPI_RETURN(MPI_COMM_WORLD, count < 0 ? MPI_ERR_COUNT : MPI_ERR_REQUEST);
    const int code = pending ? wait_for_some(count, requests, 1) : MPI_SUCCESS;
    if (code != MPI_SUCCESS)
        MPI_RETURN(MPI_COMM_WORLD, code);
    return finish_all(count, requests, statuses, __func__ + 1);
}

MPI_DEFINE(Testall, int count, MPI_Request requests[], int *flag, MPI_Status statuses[])
{
    int pending, done;
    for (int again = 0;; again++) {
        if (!survey(count, requests, &pending, &done))
            MPI_RETURN(MPI_COMM_WORLD, count < 0 ? MPI_ERR_COUNT : MPI_ERR_REQUEST);
        if (!pending || again)
            break;
        yield();
    }
    *flag = !pending;
    return pending ? MPI_SUCCESS : finish_all(count, requests, statuses, __func__ + 1);
}

/* The first that is done ends; none: MPI_UNDEFINED. Another one is tried first each time, so that none is forgotten. */
static int finish_any(int count, MPI_Request *requests, int *index, MPI_Status *status, const char *function)
{
    for (int i = 0; i < count; i++) {
        struct mpi_request *r;
        if (look(requests[i], &r) != LOOK_DONE)
            continue;
        *index = i;
        const MPI_Comm comm = comm_of(r);
        const int code = finish(requests + i, r, status);
        return code == MPI_SUCCESS ? code : __mog_mpi_failed(comm, code, function);
    }
    *index = MPI_UNDEFINED;
    mpi_set_empty_status(status);
    return MPI_SUCCESS;
}

MPI_DEFINE(Waitany, int count, MPI_Request requests[], int *index, MPI_Status *status)
{
    int pending, done, code = MPI_SUCCESS;
    if (!survey(count, requests, &pending, &done))
        MPI_RETURN(MPI_COMM_WORLD, count < 0 ? MPI_ERR_COUNT : MPI_ERR_REQUEST);
    if (!done && pending)
        code = wait_for_some(count, requests, 0);
    if (code != MPI_SUCCESS)
        MPI_RETURN(MPI_COMM_WORLD, code);
    return finish_any(count, requests, index, status, __func__ + 1);
}

MPI_DEFINE(Testany, int count, MPI_Request requests[], int *index, int *flag, MPI_Status *status)
{
    int pending, done;
    for (int again = 0;; again++) {
        if (!survey(count, requests, &pending, &done))
            MPI_RETURN(MPI_COMM_WORLD, count < 0 ? MPI_ERR_COUNT : MPI_ERR_REQUEST);
        if (done || !pending || again)
            break;
        yield();
    }
    *flag = done || !pending;
    return finish_any(count, requests, index, status, __func__ + 1);
}

static int finish_some(int count, MPI_Request *requests, int *done, int *indices, MPI_Status *statuses, const char *function)
{
    int n = 0;
    struct failure failed = {MPI_COMM_NULL, MPI_SUCCESS};
    for (int i = 0; i < count; i++) {
        struct mpi_request *r;
        if (look(requests[i], &r) != LOOK_DONE)
            continue;
        MPI_Status *status = statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : statuses + n;
        indices[n++] = i;
        finish_one(requests + i, r, status, &failed);
    }
    *done = n;
    return finish_list(failed, function);
}

MPI_DEFINE(Waitsome, int count, MPI_Request requests[], int *done, int indices[], MPI_Status statuses[])
{
    int pending, ended, code = MPI_SUCCESS;
    if (!survey(count, requests, &pending, &ended))
        MPI_RETURN(MPI_COMM_WORLD, count < 0 ? MPI_ERR_COUNT : MPI_ERR_REQUEST);
    if (!pending && !ended) {
        *done = MPI_UNDEFINED;
        return MPI_SUCCESS;
    }
    if (!ended)
        code = wait_for_some(count, requests, 0);
    if (code != MPI_SUCCESS)
        MPI_RETURN(MPI_COMM_WORLD, code);
    return finish_some(count, requests, done, indices, statuses, __func__ + 1);
}

MPI_DEFINE(Testsome, int count, MPI_Request requests[], int *done, int indices[], MPI_Status statuses[])
{
    int pending, ended;
    for (int again = 0;; again++) {
        if (!survey(count, requests, &pending, &ended))
            MPI_RETURN(MPI_COMM_WORLD, count < 0 ? MPI_ERR_COUNT : MPI_ERR_REQUEST);
        if (ended || !pending || again)
            break;
        yield();
    }
    if (!pending && !ended) {
        *done = MPI_UNDEFINED;
        return MPI_SUCCESS;
    }
    return finish_some(count, requests, done, indices, statuses, __func__ + 1);
}

MPI_DEFINE(Request_get_status, MPI_Request request, int *flag, MPI_Status *status)
{
    struct mpi_request *r;
    enum look seen = look(request, &r);
    if (seen == LOOK_PENDING) {
        yield();
        seen = look(request, &r);
    }
    if (seen == LOOK_ERROR)
        MPI_RETURN(MPI_COMM_WORLD, MPI_ERR_REQUEST);
    *flag = seen != LOOK_PENDING;
    if (seen == LOOK_NOTHING)
        mpi_set_empty_status(status);
    else if (seen == LOOK_DONE)
        tell(r, status);
    return MPI_SUCCESS;
}

MPI_DEFINE(Request_free, MPI_Request *request)
{
    struct mpi_request *r;
    switch (look(*request, &r)) {
    case LOOK_ERROR:
    case LOOK_NOTHING:
        if (!r)
            MPI_RETURN(MPI_COMM_WORLD, MPI_ERR_REQUEST);
        __mog_mpi_free_request(r);
        break;
    case LOOK_DONE:
        if (r)
            r->persistent = 0;
        finish(request, r, MPI_STATUS_IGNORE);
        break;
    case LOOK_PENDING:
        r->abandoned = 1;
        break;
    }
    *request = MPI_REQUEST_NULL;
    return MPI_SUCCESS;
}

MPI_DEFINE(Cancel, MPI_Request *request)
{
    struct mpi_request *r;
    const enum look seen = look(*request, &r);
    if (seen == LOOK_ERROR || seen == LOOK_NOTHING)
        MPI_RETURN(MPI_COMM_WORLD, MPI_ERR_REQUEST);
    if (seen == LOOK_PENDING && r->kind != MPI_KIND_COLLECTIVE)
        __mog_mpi(MOG_MPI_WORD(MOG_MPI_cancel, 0, 0, 0), r->number, 0, 0, 0, 0, 0, 0);
    return MPI_SUCCESS;
}

MPI_DEFINE(Test_cancelled, const MPI_Status *status, int *flag)
{
    *flag = status->count_hi_and_cancelled & 1;
    return MPI_SUCCESS;
}
