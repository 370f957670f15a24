/* requests.h: what Wait and Test do with one request, and with lists. */
#ifndef MOG_MPI_REQUESTS_H
#define MOG_MPI_REQUESTS_H

#include "runtime_pe/mpi/base/mpi_internal.h"

/* Null requests, and persistent ones that were not started, count as done, without a status. */
enum mpi_look { LOOK_ERROR, LOOK_NOTHING, LOOK_DONE, LOOK_PENDING };
/* What is the matter with it; null for what needs no memory. */
enum mpi_look __mog_mpi_look(MPI_Request handle, struct mpi_request **request);
static inline MPI_Comm mpi_comm_of(const struct mpi_request *r) { return r ? r->comm : MPI_COMM_WORLD; }

/* A request that is done: its end. Returns its error class. */
int __mog_mpi_finish(MPI_Request *handle, struct mpi_request *request, MPI_Status *status);
/* Until all of them are done, or else one of those that are pending. Errors are those of `function`. */
int __mog_mpi_wait_for(int count, const MPI_Request *requests, int all, const char *function);
void __mog_mpi_yield(void);

/* Of grequests.c, in programs that have it: functions of the program, and what they return. Calls the one that fills the status. */
int __mog_mpi_query_general(const struct mpi_request *request, MPI_Status *status);
int __mog_mpi_cancel_general(const struct mpi_request *request);
/* Calls the one for its end. The request goes. */
int __mog_mpi_free_general(struct mpi_request *request);
#pragma weak __mog_mpi_query_general
#pragma weak __mog_mpi_cancel_general
#pragma weak __mog_mpi_free_general

#endif
