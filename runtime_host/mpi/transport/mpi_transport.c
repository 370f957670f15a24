/* mpi_transport.c: messages between processes by the system's MPI, Open MPI or MPICH: point to point only. Its collectives are of no use
 * here, for communicators of PEs come to theirs in an order that differs from process to process. */
#include <limits.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "runtime_host/mpi/transport/transport.h"

enum { tag = 1, most_receives = 16 };

struct outgoing {
    MPI_Request request;
    void *bytes;
    size_t length;
    struct outgoing *next;
};
/* Messages that began to come. They are handed over in the order in which they did. */
struct incoming {
    MPI_Request request;
    unsigned process;
    void *bytes;
    size_t length;
};

static MPI_Comm world;
static struct outgoing *sends;
static size_t queued_bytes;
static struct incoming receives[most_receives];
static unsigned first_receive, receive_count;
static char error_text[MPI_MAX_ERROR_STRING];

static int has_failed(int code) {
    if (code == MPI_SUCCESS) return 0;
    int length = 0;
    if (MPI_Error_string(code, error_text, &length) != MPI_SUCCESS) strcpy(error_text, "unknown error of MPI");
    return 1;
}

static int out_of_memory(void) {
    strcpy(error_text, "out of memory");
    return -1;
}

static int open_world(unsigned *process, unsigned *processes) {
    int rank, size;
    /* The program has no arguments for MPI. Errors of this one call are MPI's to tell. */
    if (has_failed(MPI_Init(NULL, NULL)) || has_failed(MPI_Comm_dup(MPI_COMM_WORLD, &world)) ||
        has_failed(MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN)) || has_failed(MPI_Comm_rank(world, &rank)) ||
        has_failed(MPI_Comm_size(world, &size)))
        return -1;
    *process = (unsigned)rank;
    *processes = (unsigned)size;
    return 0;
}

/* Forgets what has gone. */
static int progress_sends(void) {
    for (struct outgoing **link = &sends; *link;) {
        struct outgoing *o = *link;
        int done = 0;
        if (has_failed(MPI_Test(&o->request, &done, MPI_STATUS_IGNORE))) return -1;
        if (!done) {
            link = &o->next;
            continue;
        }
        *link = o->next;
        queued_bytes -= o->length;
        free(o->bytes);
        free(o);
    }
    return 0;
}

static int send_message(unsigned process, void *bytes, size_t length) {
    struct outgoing *o = malloc(sizeof *o);
    if (!o || length > INT_MAX) {
        free(o);
        free(bytes);
        return out_of_memory();
    }
    *o = (struct outgoing){MPI_REQUEST_NULL, bytes, length, sends};
    sends = o;
    queued_bytes += length;
    return has_failed(MPI_Isend(bytes, (int)length, MPI_BYTE, (int)process, tag, world, &o->request)) ? -1 : 0;
}

/* Begins to receive what has been announced. Long messages need their sender's help, which may be busy: nobody waits for it. */
static int start_receives(void) {
    while (receive_count < most_receives) {
        int flag = 0, length;
        MPI_Message message;
        MPI_Status status;
        if (has_failed(MPI_Improbe(MPI_ANY_SOURCE, tag, world, &flag, &message, &status))) return -1;
        if (!flag) break;
        if (has_failed(MPI_Get_count(&status, MPI_BYTE, &length))) return -1;
        struct incoming *in = &receives[(first_receive + receive_count) % most_receives];
        *in = (struct incoming){MPI_REQUEST_NULL, (unsigned)status.MPI_SOURCE, malloc(length ? (size_t)length : 1), (size_t)length};
        if (!in->bytes) return out_of_memory();
        receive_count++;
        if (has_failed(MPI_Imrecv(in->bytes, length, MPI_BYTE, &message, &in->request))) return -1;
    }
    return 0;
}

static int receive_message(unsigned *process, void **bytes, size_t *length) {
    int done = 0;
    if (progress_sends() < 0 || start_receives() < 0) return -1;
    if (receive_count == 0) return 0;
    struct incoming *in = &receives[first_receive];
    if (has_failed(MPI_Test(&in->request, &done, MPI_STATUS_IGNORE))) return -1;
    if (!done) return 0;
    *process = in->process;
    *bytes = in->bytes;
    *length = in->length;
    first_receive = (first_receive + 1) % most_receives;
    receive_count--;
    return 1;
}

static size_t queued(void) { return queued_bytes; }
static const char *error(void) { return error_text; }
static void abort_world(int status) { MPI_Abort(MPI_COMM_WORLD, status); }
static void close_world(void) {
    while (sends && progress_sends() == 0) continue;
    MPI_Finalize();
}

mog_get_transport_function mog_get_transport;
const struct mog_transport *mog_get_transport(void) {
    static char library[MPI_MAX_LIBRARY_VERSION_STRING];
    static struct mog_transport transport = {MOG_TRANSPORT_VERSION, library,    open_world, send_message, receive_message, queued, error,
                                             abort_world,           close_world};
    int length = 0;
    /* May be called before MPI_Init. Its first words are enough: those before a comma or the end of a line. */
    if (MPI_Get_library_version(library, &length) != MPI_SUCCESS) strcpy(library, "MPI");
    library[strcspn(library, ",\n")] = 0;
    return &transport;
}
