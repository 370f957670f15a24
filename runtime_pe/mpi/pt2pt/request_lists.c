/* request_lists.c: waiting for one, some or all of several requests, and looking at them. */
#include "requests.h"

/* How many are pending and done. False: one is no request, or the count is none. */
static int survey(int count, const MPI_Request *requests, int *pending, int *done) {
    struct mpi_request *r;
    *pending = *done = 0;
    for (int i = 0; i < count; i++) switch (__mog_mpi_look(requests[i], &r)) {
            case LOOK_ERROR: return 0;
            case LOOK_PENDING: ++*pending; break;
            case LOOK_DONE: ++*done; break;
            case LOOK_NOTHING: break;
        }
    return count >= 0;
}

/* The last one of a list that went wrong. */
struct failure {
    MPI_Comm comm;
    int code;
};

/* One of a list, whose outcome stands in its status, if there is one. */
static void finish_one(MPI_Request *handle, struct mpi_request *r, MPI_Status *status, struct failure *failed) {
    const MPI_Comm comm = mpi_comm_of(r);
    const int code = __mog_mpi_finish(handle, r, status);
    if (status != MPI_STATUS_IGNORE) status->MPI_ERROR = code;
    if (code != MPI_SUCCESS) *failed = (struct failure){comm, code};
}

/* Nobody will look into statuses after an error that ends the run, so that says what went wrong itself. */
static int finish_list(struct failure failed, const char *function) {
    if (failed.code == MPI_SUCCESS) return MPI_SUCCESS;
    const struct mpi_comm *c = __mog_mpi_comm(failed.comm);
    return __mog_mpi_failed(failed.comm, c && c->handler == MPI_ERRORS_ARE_FATAL ? failed.code : MPI_ERR_IN_STATUS, function);
}

static int finish_all(int count, MPI_Request *requests, MPI_Status *statuses, const char *function) {
    struct failure failed = {MPI_COMM_NULL, MPI_SUCCESS};
    for (int i = 0; i < count; i++) {
        MPI_Status *status = statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : statuses + i;
        struct mpi_request *r;
        if (__mog_mpi_look(requests[i], &r) == LOOK_NOTHING) mpi_set_empty_status(status);
        else finish_one(requests + i, r, status, &failed);
    }
    return finish_list(failed, function);
}

MPI_DEFINE(Waitall, int count, MPI_Request requests[], MPI_Status statuses[]) {
    int pending, done;
    if (!survey(count, requests, &pending, &done)) MPI_RETURN(MPI_COMM_WORLD, count < 0 ? MPI_ERR_COUNT : MPI_ERR_REQUEST);
    const int code = pending ? __mog_mpi_wait_for(count, requests, 1, __func__ + 1) : MPI_SUCCESS;
    if (code != MPI_SUCCESS) return code;
    return finish_all(count, requests, statuses, __func__ + 1);
}

MPI_DEFINE(Testall, int count, MPI_Request requests[], int *flag, MPI_Status statuses[]) {
    int pending, done;
    for (int again = 0;; again++) {
        if (!survey(count, requests, &pending, &done)) MPI_RETURN(MPI_COMM_WORLD, count < 0 ? MPI_ERR_COUNT : MPI_ERR_REQUEST);
        if (!pending || again) break;
        __mog_mpi_yield();
    }
    *flag = !pending;
    return pending ? MPI_SUCCESS : finish_all(count, requests, statuses, __func__ + 1);
}

/* The first that is done ends; none: MPI_UNDEFINED. Another one is tried first each time, so that none is forgotten. */
static int finish_any(int count, MPI_Request *requests, int *index, MPI_Status *status, const char *function) {
    for (int i = 0; i < count; i++) {
        struct mpi_request *r;
        if (__mog_mpi_look(requests[i], &r) != LOOK_DONE) continue;
        *index = i;
        const MPI_Comm comm = mpi_comm_of(r);
        const int code = __mog_mpi_finish(requests + i, r, status);
        return code == MPI_SUCCESS ? code : __mog_mpi_failed(comm, code, function);
    }
    *index = MPI_UNDEFINED;
    mpi_set_empty_status(status);
    return MPI_SUCCESS;
}

MPI_DEFINE(Waitany, int count, MPI_Request requests[], int *index, MPI_Status *status) {
    int pending, done, code = MPI_SUCCESS;
    if (!survey(count, requests, &pending, &done)) MPI_RETURN(MPI_COMM_WORLD, count < 0 ? MPI_ERR_COUNT : MPI_ERR_REQUEST);
    if (!done && pending) code = __mog_mpi_wait_for(count, requests, 0, __func__ + 1);
    if (code != MPI_SUCCESS) return code;
    return finish_any(count, requests, index, status, __func__ + 1);
}

MPI_DEFINE(Testany, int count, MPI_Request requests[], int *index, int *flag, MPI_Status *status) {
    int pending, done;
    for (int again = 0;; again++) {
        if (!survey(count, requests, &pending, &done)) MPI_RETURN(MPI_COMM_WORLD, count < 0 ? MPI_ERR_COUNT : MPI_ERR_REQUEST);
        if (done || !pending || again) break;
        __mog_mpi_yield();
    }
    *flag = done || !pending;
    return finish_any(count, requests, index, status, __func__ + 1);
}

static int finish_some(int count, MPI_Request *requests, int *done, int *indices, MPI_Status *statuses, const char *function) {
    int n = 0;
    struct failure failed = {MPI_COMM_NULL, MPI_SUCCESS};
    for (int i = 0; i < count; i++) {
        struct mpi_request *r;
        if (__mog_mpi_look(requests[i], &r) != LOOK_DONE) continue;
        MPI_Status *status = statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : statuses + n;
        indices[n++] = i;
        finish_one(requests + i, r, status, &failed);
    }
    *done = n;
    return finish_list(failed, function);
}

MPI_DEFINE(Waitsome, int count, MPI_Request requests[], int *done, int indices[], MPI_Status statuses[]) {
    int pending, ended, code = MPI_SUCCESS;
    if (!survey(count, requests, &pending, &ended)) MPI_RETURN(MPI_COMM_WORLD, count < 0 ? MPI_ERR_COUNT : MPI_ERR_REQUEST);
    if (!pending && !ended) {
        *done = MPI_UNDEFINED;
        return MPI_SUCCESS;
    }
    if (!ended) code = __mog_mpi_wait_for(count, requests, 0, __func__ + 1);
    if (code != MPI_SUCCESS) return code;
    return finish_some(count, requests, done, indices, statuses, __func__ + 1);
}

MPI_DEFINE(Testsome, int count, MPI_Request requests[], int *done, int indices[], MPI_Status statuses[]) {
    int pending, ended;
    for (int again = 0;; again++) {
        if (!survey(count, requests, &pending, &ended)) MPI_RETURN(MPI_COMM_WORLD, count < 0 ? MPI_ERR_COUNT : MPI_ERR_REQUEST);
        if (ended || !pending || again) break;
        __mog_mpi_yield();
    }
    if (!pending && !ended) {
        *done = MPI_UNDEFINED;
        return MPI_SUCCESS;
    }
    return finish_some(count, requests, done, indices, statuses, __func__ + 1);
}
