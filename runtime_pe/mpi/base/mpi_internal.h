/* mpi_internal.h: what the files of the MPI library share. */
#ifndef MOG_MPI_INTERNAL_H
#define MOG_MPI_INTERNAL_H

#include <mpi.h>
#include <stddef.h>

#include "abi/mpi_call.h"

/* Defines a function of MPI under both names; MPI_... may be replaced by a tool's. __func__ + 1 is its name. */
#define MPI_DEFINE(name, ...)                                                \
    int MPI_##name(__VA_ARGS__) __attribute__((weak, alias("PMPI_" #name))); \
    int PMPI_##name(__VA_ARGS__)

unsigned __mog_mpi(unsigned word0, unsigned word1, unsigned word2, unsigned word3, unsigned word4, unsigned word5, unsigned word6,
                   unsigned word7);

#define MPI_ADDRESS(pointer) ((unsigned)(pointer))

/* ---- communicators ---- */

struct mpi_comm {
    unsigned context;
    int rank, size;
    int remote_size; /* of an intercommunicator; else 0 */
    MPI_Errhandler handler;
    unsigned sequence;          /* of collectives that PEs do among themselves: see schedule.h */
    struct mpi_comm_more *more; /* see comms.h; null: none of it is there */
};
_Static_assert(offsetof(struct mpi_comm, remote_size) == offsetof(struct mog_mpi_made, remote_size), "the engine writes the first four");
/* How many ranks messages can go to, and blocks of collectives there are. */
static inline int mpi_peers(const struct mpi_comm *c) { return c->remote_size ? c->remote_size : c->size; }
enum mpi_stage { MPI_BEFORE, MPI_BETWEEN, MPI_AFTER };
/* What every call looks at. It stands next to the control block, for tens of thousands of PEs do not fit a cache. */
struct mpi_state {
    enum mpi_stage stage;
    struct mpi_comm world;
};
extern struct mpi_state __mog_mpi_state;
/* The control block's word: which of the world's processes this is, with a device of its own. */
extern const unsigned __mog_mpi_device;

/* Null if the handle stands for none, or MPI_Init was not called. */
struct mpi_comm *__mog_mpi_other_comm(MPI_Comm comm);
static inline struct mpi_comm *__mog_mpi_comm(MPI_Comm comm) {
    if (comm == MPI_COMM_WORLD && __mog_mpi_state.stage == MPI_BETWEEN) return &__mog_mpi_state.world;
    return __mog_mpi_other_comm(comm);
}

/* ---- errors ---- */

/* Functions for errors only stand apart, and are not compiled for speed (mog.ld). */
#define MPI_FOR_ERRORS __attribute__((cold))

/* What a function returns whose error is `code` (MPI_SUCCESS included): the handler of `comm` was called, if there is an error. */
MPI_FOR_ERRORS int __mog_mpi_failed(MPI_Comm comm, int code, const char *function);
int __mog_mpi_class(int code);
/* The text of a code of the program's own; null: it is none. */
const char *__mog_mpi_own_text(int code);
/* Null: it is none of the program's. */
MPI_Comm_errhandler_function *__mog_mpi_handler_function(MPI_Errhandler handler);
MPI_FOR_ERRORS _Noreturn void __mog_mpi_fatal(MPI_Comm comm, int code, const char *function);
/* What follows, strings up to a null pointer, is told. */
MPI_FOR_ERRORS _Noreturn void __mog_mpi_abort(MPI_Comm comm, int code, ...);

#define MPI_RETURN(comm, code)                                                                   \
    do {                                                                                         \
        int code_ = (code);                                                                      \
        return code_ == MPI_SUCCESS ? MPI_SUCCESS : __mog_mpi_failed(comm, code_, __func__ + 1); \
    } while (0)

/* ---- types: buffers as bytes that lie one after the other ---- */

struct mpi_bytes {
    void *start;
    unsigned bytes;
    void *packed; /* where they do not: a copy, from malloc() */
};
/* The size of a basic type in memory; 0: it is none. */
unsigned __mog_mpi_other_size(MPI_Datatype type);
static inline unsigned __mog_mpi_basic_size(MPI_Datatype type) {
    if (((unsigned)type & 0xffff00f0u) == 0x4c000000u) /* the first fifteen */
        return (unsigned)type >> 8 & 0xff;
    return __mog_mpi_other_size(type);
}
/* Of a basic type: of one of its numbers, where it is two of them. */
unsigned __mog_mpi_number_size(MPI_Datatype type);
/* Pairs of MPI_MINLOC and MPI_MAXLOC travel with their gaps. */
static inline int mpi_is_pair(MPI_Datatype type) { return MOG_MPI_IS_VALUE_AND_INT(type) || type == MPI_2INT; }
/* What MPI_Type_size says of a basic type: without the gaps. 0: it is none. */
unsigned __mog_mpi_basic_data(MPI_Datatype type);
/* Of any type: bytes of an element that travel, and from one element to the next in memory. */
struct mpi_measure {
    unsigned bytes;
    int extent;
    int offset;    /* of the first byte */
    unsigned span; /* bytes from it to the last one */
    char is_tight; /* any number of elements lies in one piece */
    char is_ready; /* committed */
};
/* Returns an error class. */
int __mog_mpi_measure(struct mpi_measure *measure, MPI_Datatype type);
/* Handles of derived types. One that is in use, once more for each request, stays when the program frees it. */
#define MPI_FIRST_DERIVED 0xcc000000u
void __mog_mpi_use_type(MPI_Datatype type, int more);
static inline void mpi_use_type(MPI_Datatype type, int more) {
    if ((unsigned)type >= MPI_FIRST_DERIVED) __mog_mpi_use_type(type, more);
}
/* Of MPI_Type_create_f90_real() and its like the basic type, of others themselves; in programs that have such types. */
MPI_Datatype __mog_mpi_basic_of_selected(MPI_Datatype type) __attribute__((weak));
/* The engine's name of a type; 0: it has none. */
static inline unsigned mpi_type_id(MPI_Datatype type) {
    return (unsigned)type >> 24 == 0x4c                                                                    ? (unsigned)type & 0xff
           : MOG_MPI_IS_VALUE_AND_INT(type) && ((unsigned)type & 0xffffff) <= (MPI_LONG_DOUBLE_INT & 0xff) ? MOG_MPI_TYPE_ID(type)
                                                                                                           : 0;
}
/* What messages of a type say of it: of a derived one the basic type that it is made of, if that is only one. */
unsigned __mog_mpi_derived_id(MPI_Datatype type);
static inline unsigned mpi_message_id(MPI_Datatype type) {
    return (unsigned)type >= MPI_FIRST_DERIVED ? __mog_mpi_derived_id(type) : mpi_type_id(type);
}
/* Error classes. Outgoing ones are packed; incoming ones get room, which __mog_mpi_arrived() unpacks: `came` bytes. */
int __mog_mpi_other_outgoing(struct mpi_bytes *bytes, const void *buffer, int count, MPI_Datatype type);
int __mog_mpi_other_incoming(struct mpi_bytes *bytes, void *buffer, int count, MPI_Datatype type);
/* What lies in one piece already, and is not too long. */
static inline int mpi_is_plain(struct mpi_bytes *bytes, const void *buffer, int count, MPI_Datatype type) {
    const unsigned size = __mog_mpi_basic_size(type);
    if (size == 0 || (unsigned)count >= 1u << 26) return 0;
    *bytes = (struct mpi_bytes){(void *)buffer, (unsigned)count * size, NULL};
    return 1;
}
static inline int __mog_mpi_outgoing(struct mpi_bytes *bytes, const void *buffer, int count, MPI_Datatype type) {
    return mpi_is_plain(bytes, buffer, count, type) ? MPI_SUCCESS : __mog_mpi_other_outgoing(bytes, buffer, count, type);
}
static inline int __mog_mpi_incoming(struct mpi_bytes *bytes, void *buffer, int count, MPI_Datatype type) {
    return mpi_is_plain(bytes, buffer, count, type) ? MPI_SUCCESS : __mog_mpi_other_incoming(bytes, buffer, count, type);
}
void __mog_mpi_arrived(struct mpi_bytes *bytes, void *buffer, int count, MPI_Datatype type, unsigned came);
/* Elements of a type that may be used, to bytes one after the other, and back. */
void __mog_mpi_copy_out(void *to, const void *buffer, int count, MPI_Datatype type);
void __mog_mpi_copy_in(const void *from, unsigned bytes, void *buffer, int count, MPI_Datatype type);
/* From one buffer to another. */
void __mog_mpi_copy_elements(void *to, const void *from, int count, MPI_Datatype type);
/* Gives room back. */
void __mog_mpi_sent(struct mpi_bytes *bytes);

/* Buffers of collectives with a block for each rank, of different sizes: see sides.c. */
struct mpi_pieces;
/* The end of such a collective: what `came` is unpacked, and room given back. */
void __mog_mpi_end_pieces(struct mpi_pieces *pieces, int came);

/* ---- tables, where several threads may call at the same time (threads.c, which programs have that call MPI_Init_thread) ---- */

int __mog_mpi_begin(int required, int *provided);
void __mog_mpi_lock(void) __attribute__((weak));
void __mog_mpi_unlock(void) __attribute__((weak));
static inline int mpi_hold_tables(void) {
    if (__mog_mpi_lock) __mog_mpi_lock();
    return 0;
}
static inline void mpi_leave_tables(const int *held) {
    (void)held;
    if (__mog_mpi_unlock) __mog_mpi_unlock();
}
/* Where several threads may call nobody waits in the engine, and this is a round of a wait; 0: they may not, and nothing was done. */
int __mog_mpi_rests_by_rounds(void) __attribute__((weak));
/* Until the end of the block. */
#define MPI_HOLD_TABLES __attribute__((cleanup(mpi_leave_tables), unused)) const int held_ = mpi_hold_tables();

/* ---- requests ---- */

enum mpi_kind {
    MPI_KIND_FREE,
    MPI_KIND_SEND,
    MPI_KIND_RECEIVE,
    MPI_KIND_COLLECTIVE,
    MPI_KIND_PARTS,  /* several messages: see neighbour_exchange.c */
    MPI_KIND_GENERAL /* MPI_Grequest_start: see grequests.c */
};

/* One of several messages that are one request. The type stays until it ends. */
struct mpi_part {
    struct mog_mpi_result result;
    struct mpi_bytes bytes;
    unsigned number; /* the engine's; 0: it was done at once */
    char *buffer;
    int count;
    MPI_Datatype type;
    char is_incoming;
};
struct mpi_parts {
    unsigned count;
    struct mpi_part part[];
};
/* The end of all, which are done: what came is unpacked, and room given back. Returns an error class. */
int __mog_mpi_end_parts(struct mpi_parts *parts);

struct mpi_general;

struct mpi_request {
    struct mog_mpi_more more; /* its result is where the engine says that it is done */
    unsigned number;          /* the engine's, while it is not done */
    unsigned char kind, flags;
    unsigned char persistent, active, abandoned;
    MPI_Comm comm;
    struct mpi_bytes bytes; /* of collectives: what comes in, */
    struct mpi_bytes out;   /* and what goes out */
    struct mpi_pieces *pieces;
    union {
        struct mpi_parts *parts;     /* of MPI_KIND_PARTS */
        struct mpi_general *general; /* of MPI_KIND_GENERAL */
    };
    void *buffer;
    int count, peer, tag;
    MPI_Datatype type;
    struct mpi_request *next; /* of the free ones */
    MPI_Request handle;
};
/* A send that was done at once needs no memory. */
#define MPI_REQUEST_DONE ((MPI_Request)0x6c000001)

/* Null: no memory. */
struct mpi_request *__mog_mpi_new_request(enum mpi_kind kind, MPI_Comm comm);
void __mog_mpi_free_request(struct mpi_request *request);
/* What came is unpacked, and room for buffers given back. */
void __mog_mpi_settle(struct mpi_request *request);
/* What it is about. The type stays until the request is freed. */
void __mog_mpi_describe(struct mpi_request *request, void *buffer, int count, MPI_Datatype type, int peer, int tag);
/* Null if it is none, or was freed by the program. */
struct mpi_request *__mog_mpi_request(MPI_Request handle);
/* The same, but for requests that were freed before they were done. */
struct mpi_request *__mog_mpi_kept_request(MPI_Request handle);
/* Its result says what it came to. */
int __mog_mpi_is_done(struct mpi_request *request);
/* Takes what the engine said when it was started: a number, 0 or an error. Returns an error class. */
int __mog_mpi_started(struct mpi_request *request, int said);

/* Sends and receives of a request that has its arguments. Return an error class. */
int __mog_mpi_start_send(struct mpi_request *request);
int __mog_mpi_start_receive(struct mpi_request *request);
int __mog_mpi_buffered_send(const void *buffer, int count, MPI_Datatype type, int dest, int tag, struct mpi_comm *comm);

/* Error classes of arguments. */
static inline int __mog_mpi_check_send(const struct mpi_comm *comm, int count, int dest, int tag) {
    if (count < 0) return MPI_ERR_COUNT;
    if (tag < 0) return MPI_ERR_TAG;
    return (unsigned)dest < (unsigned)mpi_peers(comm) || dest == MPI_PROC_NULL ? MPI_SUCCESS : MPI_ERR_RANK;
}
static inline int __mog_mpi_check_receive(const struct mpi_comm *comm, int count, int source, int tag) {
    if (count < 0) return MPI_ERR_COUNT;
    if (tag < 0 && tag != MPI_ANY_TAG) return MPI_ERR_TAG;
    return (unsigned)source < (unsigned)mpi_peers(comm) || source == MPI_PROC_NULL || source == MPI_ANY_SOURCE ? MPI_SUCCESS : MPI_ERR_RANK;
}

static inline void mpi_set_status(MPI_Status *status, int source, int tag, unsigned bytes) {
    if (status == MPI_STATUS_IGNORE) return;
    status->count_lo = (int)bytes;
    status->count_hi_and_cancelled = 0;
    status->MPI_SOURCE = source;
    status->MPI_TAG = tag;
}
/* The bytes that a status tells of, of which messages have less than 2^31: those of MPI_Status_set_elements_x. Bit 0 of the upper word says
 * that it was cancelled. */
static inline long long mpi_status_bytes(const MPI_Status *status) {
    return (long long)((unsigned)status->count_hi_and_cancelled >> 1) << 32 | (unsigned)status->count_lo;
}
static inline void mpi_set_empty_status(MPI_Status *status) {
    mpi_set_status(status, MPI_ANY_SOURCE, MPI_ANY_TAG, 0);
    if (status != MPI_STATUS_IGNORE) status->MPI_ERROR = MPI_SUCCESS;
}
static inline void mpi_set_no_proc_status(MPI_Status *status) { mpi_set_status(status, MPI_PROC_NULL, MPI_ANY_TAG, 0); }

#endif
