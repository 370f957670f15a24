/* buffered.c: MPI_Bsend and its like: sends out of the buffer that the program attached. Each message has a header in it, and the
 * messages stand in the order of their addresses. */
#include <stdint.h>
#include <string.h>

#include "runtime_pe/mpi/base/mpi_internal.h"

struct message {
    struct message *next;
    unsigned size; /* with the header */
    unsigned number;
    struct mog_mpi_result result;
    double bytes[]; /* aligned as anything */
};
_Static_assert(sizeof(struct message) <= MPI_BSEND_OVERHEAD - 8, "MPI_BSEND_OVERHEAD has room for the header");

static char *buffer_begin, *buffer_end;
static void *buffer_given;
static int buffer_size;
static struct message *messages;

static void forget_sent(void) {
    for (struct message **m = &messages; *m;)
        if ((*m)->result.state) *m = (*m)->next;
        else m = &(*m)->next;
}

/* The first gap that has room, with the message in the list. */
static struct message *room(unsigned bytes) {
    const unsigned size = ((unsigned)sizeof(struct message) + bytes + 7) & ~7u;
    char *at = buffer_begin;
    struct message **link = &messages;
    for (;; link = &(*link)->next) {
        const char *end = *link ? (char *)*link : buffer_end;
        if (at && (unsigned)(end - at) >= size) break;
        if (!*link) return NULL;
        at = (char *)*link + (*link)->size;
    }
    struct message *m = (struct message *)at;
    *m = (struct message){*link, size, 0, {0, 0, 0, 0}};
    return *link = m;
}

int __mog_mpi_buffered_send(const void *buffer, int count, MPI_Datatype type, int dest, int tag, struct mpi_comm *comm) {
    struct mpi_bytes bytes;
    int code = __mog_mpi_check_send(comm, count, dest, tag);
    if (code == MPI_SUCCESS) code = __mog_mpi_outgoing(&bytes, buffer, count, type);
    if (code != MPI_SUCCESS || dest == MPI_PROC_NULL) return code;
    forget_sent();
    struct message *m = room(bytes.bytes);
    if (m) {
        memcpy(m->bytes, bytes.start, bytes.bytes);
        const int said =
            (int)__mog_mpi(MOG_MPI_WORD(MOG_MPI_send, MOG_MPI_NONBLOCKING, mpi_message_id(type), 0), comm->context, (unsigned)comm->rank,
                           (unsigned)dest, (unsigned)tag, MPI_ADDRESS(m->bytes), bytes.bytes, MPI_ADDRESS(&m->result));
        if (said <= 0) m->result.state = MOG_MPI_DONE;
        m->number = (unsigned)said;
        code = said < 0 ? -said : MPI_SUCCESS;
    }
    __mog_mpi_sent(&bytes);
    return m ? code : MPI_ERR_BUFFER;
}

MPI_DEFINE(Bsend, const void *buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm) {
    struct mpi_comm *c = __mog_mpi_comm(comm);
    MPI_RETURN(comm, c ? __mog_mpi_buffered_send(buffer, count, type, dest, tag, c) : MPI_ERR_COMM);
}

MPI_DEFINE(Ibsend, const void *buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm, MPI_Request *request) {
    struct mpi_comm *c = __mog_mpi_comm(comm);
    *request = MPI_REQUEST_DONE;
    MPI_RETURN(comm, c ? __mog_mpi_buffered_send(buffer, count, type, dest, tag, c) : MPI_ERR_COMM);
}

MPI_DEFINE(Buffer_attach, void *buffer, int size) {
    if (buffer_given || !buffer || size < 0) MPI_RETURN(MPI_COMM_WORLD, buffer_given || !buffer ? MPI_ERR_BUFFER : MPI_ERR_ARG);
    buffer_given = buffer;
    buffer_size = size;
    buffer_begin = (char *)(((uintptr_t)buffer + 7) & ~(uintptr_t)7);
    buffer_end = (char *)buffer + size;
    if (buffer_end < buffer_begin) buffer_end = buffer_begin;
    return MPI_SUCCESS;
}

MPI_DEFINE(Buffer_detach, void *buffer, int *size) {
    if (!buffer_given) MPI_RETURN(MPI_COMM_WORLD, MPI_ERR_BUFFER);
    for (forget_sent(); messages; forget_sent()) __mog_mpi(MOG_MPI_WORD(MOG_MPI_wait, 0, 0, 0), messages->number, 1, 1, 0, 0, 0, 0);
    *(void **)buffer = buffer_given;
    *size = buffer_size;
    buffer_given = buffer_begin = buffer_end = NULL;
    return MPI_SUCCESS;
}
