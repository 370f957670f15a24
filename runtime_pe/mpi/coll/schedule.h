/* schedule.h: collectives that PEs do among themselves, with messages: reductions with functions of the program.
 *
 * Such a collective is a schedule: steps, each with at most one send and one receive, and something to compute when both are done. The PE
 * goes on with its schedules whenever it calls MPI, and while it waits there for something else: see progress.c. */
#ifndef MOG_MPI_SCHEDULE_H
#define MOG_MPI_SCHEDULE_H

#include "ops.h"

/* One message of a step. */
struct mpi_message {
    struct mog_mpi_result result;
    struct mpi_bytes bytes;
    unsigned number; /* the engine's; 0: there is none under way */
    int peer;
    char *buffer; /* null: there is none in this step */
    int count;
    int is_remote; /* to the other group of an intercommunicator */
};

static inline int __mog_mpi_is_under_way(const struct mpi_message *m) { return m->number && !*(const volatile unsigned *)&m->result.state; }

struct mpi_schedule {
    struct mpi_schedule *next; /* of those that are not done */
    struct mpi_request *request;
    unsigned number; /* a request's, as the engine's are: MPI_SCHEDULE_NUMBER and more */
    int error;
    /* What is done. */
    struct mpi_reduction reduction;
    MPI_User_function *function;
    unsigned context;
    int rank, size, tag;
    int is_inter; /* of both groups of an intercommunicator */
    int total;    /* elements of a whole vector */
    struct mpi_measure type;
    /* Vectors: what this rank has so far, what comes, and what the ranks before it have (exscan only). */
    char *own, *other, *before;
    int has_before;
    const char *stage; /* letters: see schedule_steps.c */
    int step;
    struct mpi_message send, receive;
};

#define MPI_SCHEDULE_NUMBER 0x80000000u

/* Does a reduction, or begins it. Returns an error class. */
int __mog_mpi_run_schedule(const struct mpi_reduction *reduction, MPI_User_function *function, MPI_Request *request);

/* schedule_steps.c: the next step's messages are named; false: there is no other step. And what is computed after it. */
int __mog_mpi_next_step(struct mpi_schedule *s);
void __mog_mpi_end_step(struct mpi_schedule *s);

/* progress.c: goes on with all schedules as far as that is possible. */
void __mog_mpi_progress(void);
/* A schedule is not done yet. */
void __mog_mpi_add_schedule(struct mpi_schedule *s);
/* A message of a schedule has begun, and the engine gave it this number. */
void __mog_mpi_number_given(unsigned number);
/* Until the schedule of the request is done. */
void __mog_mpi_wait_for_schedule(const struct mpi_request *request);
/* schedule.c: starts or looks after messages of a schedule. True: it is done, and its request says so. */
int __mog_mpi_advance(struct mpi_schedule *s);

/* Calls of the program, while schedules go on. */
unsigned __mog_mpi_beside(unsigned word0, unsigned word1, unsigned word2, unsigned word3, unsigned word4, unsigned word5, unsigned word6,
                          unsigned word7);
/* The way to the engine, whatever is under way. */
unsigned __mog_mpi_engine(unsigned word0, unsigned word1, unsigned word2, unsigned word3, unsigned word4, unsigned word5, unsigned word6,
                          unsigned word7);

#endif
