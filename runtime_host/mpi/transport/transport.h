/* transport.h: how processes of mogrun reach each other. The system's MPI (system_mpi.hpp), or what a test has.
 *
 * Messages are bytes. Those from one process to another one come in the order in which they were sent. One thread calls.
 */
#ifndef MOG_MPI_TRANSPORT_H
#define MOG_MPI_TRANSPORT_H

#include <stddef.h>

struct mog_transport {
    const char *library; /* what it speaks: "Open MPI v4.1.4" */
    /* Joins the processes of this launch: which one this is, of how many. 0 if all went well. */
    int (*open)(unsigned *process, unsigned *processes);
    /* Sends bytes that came from malloc(), and frees them when they have gone. 0 if all went well. */
    int (*send)(unsigned process, void *bytes, size_t length);
    /* 1: a message, in bytes that free() takes; 0: none has come; less: failed. Either way, what is on its way goes on. */
    int (*receive)(unsigned *process, void **bytes, size_t *length);
    /* Bytes that were sent, and have not gone yet. */
    size_t (*queued)(void);
    /* What failed last. */
    const char *(*error)(void);
    /* Ends all processes, at once. */
    void (*abort)(int status);
    /* Leaves, once all do. */
    void (*close)(void);
};

#endif
