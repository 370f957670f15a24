/* mog/channel.h: channels: queues of elements of any type in the memory that all PEs share, for PEs, their threads, and the host.
 *
 *     mog_channel *numbers = mog_channel_open("numbers", "int", sizeof(int), 1024, NULL);
 *
 *     int *place = mog_channel_talloc(numbers, 2);           // a producer: room for two, written where they lie
 *     place[0] = 1, place[1] = 2;
 *     mog_channel_enq(numbers, place, 2);
 *
 *     uint32_t at;                                           // a consumer
 *     for (uint32_t n; (n = mog_channel_take(numbers, 1, 64, &at)) > 0; mog_channel_tfree(numbers, at, n))
 *         for (uint32_t i = 0; i < n; ++i) sum += *(int *)mog_channel_deq(numbers, at + i);
 *
 * Any PE and thread may produce and consume, also both. docs/channels.md says what is promised. In C++ <mog/channel.hpp> has a class.
 */
#ifndef MOG_CHANNEL_H
#define MOG_CHANNEL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mog_channel mog_channel;

enum {
    MOG_CHANNEL_HOST = 1,   /* the host is at an end of it (mog_channel_connect() of libmog): who waits goes on asking */
    MOG_CHANNEL_ALONE = 2,  /* each reservation is made by itself, never together with those of other lanes of a warp */
    MOG_CHANNEL_COUNTED = 4 /* there are statistics */
};
typedef struct mog_channel_options {
    unsigned flags;
    uint32_t done_count; /* elements that are freed together, a power of two; 0: 64, or all if the channel has fewer */
    uint32_t producers;  /* after so many calls of mog_channel_finish() the channel is closed; 0: NPROC */
} mog_channel_options;

/* Connects to the channel of that name, or makes it: the first one who comes does. `length` elements, or the next power of two. NULL and errno: EINVAL if it
 * has other elements than it is opened with here, or another length (0: whatever it is), which is told on standard error; ENOMEM; ENOENT for length 0 if
 * there is none. The options are those of who makes it. */
mog_channel *mog_channel_open(const char *name, const char *type, size_t bytes, uint32_t length, const mog_channel_options *options);

/* Room for `count` elements in one piece, which mog_channel_enq() makes visible: all of them, or one after the other. Waits for room; NULL and EINVAL if
 * there can never be so much, EPIPE if the channel is closed. The other one does not wait: NULL and EAGAIN. */
void *mog_channel_talloc(mog_channel *channel, uint32_t count);
void *mog_channel_try_talloc(mog_channel *channel, uint32_t count);
void mog_channel_enq(mog_channel *channel, void *elements, uint32_t count);

/* Waits for `least` elements, takes `most` at most, and gives the number of those it has taken and the place of the first one. When the channel is closed it takes
 * what is left; 0: nothing is. The other one does not wait: 0 if there are fewer than `least`, also of a closed channel. */
uint32_t mog_channel_take(mog_channel *channel, uint32_t least, uint32_t most, uint32_t *at);
uint32_t mog_channel_try_take(mog_channel *channel, uint32_t least, uint32_t most, uint32_t *at);
/* The element of a place that was taken; it stays until it is freed. */
void *mog_channel_deq(mog_channel *channel, uint32_t at);
/* The elements of `count` places are not needed any more. To free one twice ends the process. */
void mog_channel_tfree(mog_channel *channel, uint32_t at, uint32_t count);

/* Elements copied in and out: 0, or -1 and errno as above (EPIPE: closed, and for mog_channel_get() empty). */
int mog_channel_put(mog_channel *channel, const void *element);
int mog_channel_get(mog_channel *channel, void *element);

/* One of the channel's producers has made all it will. The last one closes it, as does the other function at once. */
void mog_channel_finish(mog_channel *channel);
void mog_channel_close(mog_channel *channel);

/* From process to process of a world, in programs of MPI (mogmpicc) between MPI_Init() and MPI_Finalize(). One PE, or a thread of it, forwards: it takes what
 * comes into its process's channel and sends it to the PE of that rank, which receives it into the channel of the same name in its own process. Forwarding is over
 * when the channel is closed and empty, receiving when so many forwarders are through. 0, or -1 and errno: EINVAL if the elements at both ends are not the same,
 * which the forwarder tells on standard error, or there is no such rank; EPIPE if the channel of who receives is closed; EIO if MPI fails. */
int mog_channel_forward(mog_channel *from, int rank);
int mog_channel_receive(mog_channel *to, uint32_t forwarders);

/* How many elements are in which state. While others use the channel it is a little behind. */
typedef struct mog_channel_state {
    uint32_t length, available, reserved, ready, dispatched, done;
    int closed;
} mog_channel_state;
mog_channel_state mog_channel_get_state(const mog_channel *channel);
/* How many are ready, or will be as soon as their producers go on: the simplest predicate of a scheduler is that this is a warp's width. */
uint32_t mog_channel_ready(const mog_channel *channel);
uint32_t mog_channel_length(const mog_channel *channel);
size_t mog_channel_element_bytes(const mog_channel *channel);
const char *mog_channel_name(const mog_channel *channel);
const char *mog_channel_type(const mog_channel *channel);

/* Of a channel with MOG_CHANNEL_COUNTED; else all is 0. */
typedef struct mog_channel_statistics {
    uint32_t reservations; /* calls of mog_channel_talloc() that got room, or failed */
    uint32_t cas;          /* compare-and-swaps on the tail */
    uint32_t cas_failed;   /* of these, how many others were faster than */
    uint32_t joined;       /* reservations that another lane of the warp made together with its own */
    uint32_t claims;       /* compare-and-swaps of consumers */
    uint32_t room_waits, work_waits; /* how often somebody had to wait */
} mog_channel_statistics;
mog_channel_statistics mog_channel_get_statistics(const mog_channel *channel);

#ifdef __cplusplus
}
#endif

#endif
