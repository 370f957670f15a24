/* transport.h: how processes of mogrun reach each other. A module (mpi_transport.c), loaded when it is wanted, speaks the system's MPI,
 * whose binary interface is another one for each maker; mogrun itself knows this file alone (C and C++).
 *
 * Messages are bytes. Those from one process to another one come in the order in which they were sent. One thread calls.
 */
#ifndef MOG_MPI_TRANSPORT_H
#define MOG_MPI_TRANSPORT_H

#include <stddef.h>

#define MOG_TRANSPORT_VERSION 1u

struct mog_transport {
    unsigned version;
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

/* The one function of the module, by this name. */
typedef const struct mog_transport *mog_get_transport_function(void);
#define MOG_TRANSPORT_SYMBOL "mog_get_transport"

#endif
