/* grequests.c: generalized requests, which the program itself completes. */
#include <stdlib.h>

#include "requests.h"

struct mpi_general {
    MPI_Grequest_query_function *query;
    MPI_Grequest_free_function *free;
    MPI_Grequest_cancel_function *cancel;
    void *extra;
};

MPI_DEFINE(Grequest_start, MPI_Grequest_query_function *query, MPI_Grequest_free_function *free_function,
           MPI_Grequest_cancel_function *cancel, void *extra, MPI_Request *request) {
    struct mpi_general *const general = malloc(sizeof *general);
    struct mpi_request *const r = general ? __mog_mpi_new_request(MPI_KIND_GENERAL, MPI_COMM_WORLD) : NULL;
    if (!r) {
        free(general);
        MPI_RETURN(MPI_COMM_WORLD, MPI_ERR_NO_MEM);
    }
    *general = (struct mpi_general){query, free_function, cancel, extra};
    __mog_mpi_describe(r, NULL, 0, MPI_DATATYPE_NULL, 0, 0);
    r->general = general;
    *request = r->handle;
    return MPI_SUCCESS;
}

/* Null functions do nothing. */
int __mog_mpi_query_general(const struct mpi_request *r, MPI_Status *status) {
    MPI_Status own;
    MPI_Status *const to = status == MPI_STATUS_IGNORE ? &own : status;
    mpi_set_empty_status(to);
    return r->general->query ? r->general->query(r->general->extra, to) : MPI_SUCCESS;
}

int __mog_mpi_cancel_general(const struct mpi_request *r) {
    return r->general->cancel ? r->general->cancel(r->general->extra, r->more.result.state != 0) : MPI_SUCCESS;
}

int __mog_mpi_free_general(struct mpi_request *r) {
    struct mpi_general *const general = r->general;
    const int code = general->free ? general->free(general->extra) : MPI_SUCCESS;
    free(general);
    __mog_mpi_free_request(r);
    return code;
}

/* A request that the program has freed ends here. */
MPI_DEFINE(Grequest_complete, MPI_Request request) {
    struct mpi_request *const r = __mog_mpi_kept_request(request);
    if (!r || r->kind != MPI_KIND_GENERAL || r->more.result.state) MPI_RETURN(MPI_COMM_WORLD, MPI_ERR_REQUEST);
    r->more.result.state = MOG_MPI_DONE;
    MPI_RETURN(MPI_COMM_WORLD, r->abandoned ? __mog_mpi_free_general(r) : MPI_SUCCESS);
}
