/* steps.h: the steps of abi/channel.h on the window as PEs see it; and what the files of this room share. */
#ifndef MOG_STEPS_H
#define MOG_STEPS_H

#include <mog/channel.h>

#include "runtime_pe/channels/reserve.h"
#include "runtime_pe/threads/thread.h"

#define CHANNEL_MEMORY int /* there is one window */
#define CHANNEL_WORD(at) ((uint32_t *)(uintptr_t)(at))
#define CHANNEL_FIXED(m, at) ((void)(m), *CHANNEL_WORD(at))
#define CHANNEL_LOAD(m, at) ((void)(m), __atomic_load_n(CHANNEL_WORD(at), __ATOMIC_ACQUIRE))
#define CHANNEL_STORE(m, at, value) __atomic_store_n(CHANNEL_WORD(at), (value), __ATOMIC_RELEASE)
#define CHANNEL_READ(m, at) __atomic_load_n(CHANNEL_WORD(at), __ATOMIC_RELAXED)
#define CHANNEL_WRITE(m, at, value) __atomic_store_n(CHANNEL_WORD(at), (value), __ATOMIC_RELAXED)
#define CHANNEL_RESERVE(m, at, count, limit, was, tries) ((void)(m), reserve_in_word(CHANNEL_WORD(at), (count), (limit), (was), (tries)))
#define CHANNEL_CAS(m, at, expected, wanted) compare_and_swap(CHANNEL_WORD(at), (expected), (wanted))
#define CHANNEL_ADD(m, at, n) __atomic_fetch_add(CHANNEL_WORD(at), (n), __ATOMIC_SEQ_CST)
#define CHANNEL_SWAP(m, at, value) ((void)(m), __atomic_exchange_n(CHANNEL_WORD(at), (value), __ATOMIC_SEQ_CST))
#define CHANNEL_RELAX(m) relax()
#ifndef CHANNEL_ROOM_MADE
#define CHANNEL_ROOM_MADE(m, channel) __mog_channel_room_made(channel)
#endif
void __mog_channel_room_made(uint32_t channel);

#include "abi/channel.h"

#define SCHEDULE_WAKE(m, at) __mog_channel_wake(CHANNEL_WORD(at))
#define SCHEDULE_MAY(m, stack, ready, width) __mog_graph_may((stack), (ready), (width))
void __mog_channel_wake(const void *word);
int __mog_graph_may(uint32_t stack, uint32_t ready, uint32_t width);

#include "abi/graph.h"

static inline uint32_t address_of(const void *place) { return (uint32_t)(uintptr_t)place; }
static inline uint32_t fixed(const void *channel, uint32_t offset) { return *CHANNEL_WORD(address_of(channel) + offset); }
/* Elements begin at words. */
static inline uint32_t stride_of(uint32_t bytes) { return (bytes + 3) & ~3u; }
/* What never changes of a channel, but where its arrays are: `bytes` of an element, logarithms of its length and of a group that is done
 * together. */
static inline void set_shape(uint32_t *words, uint32_t bytes, uint32_t length_bits, uint32_t group_bits) {
    words[CHANNEL_ELEMENT_BYTES / 4] = bytes;
    words[CHANNEL_STRIDE / 4] = stride_of(bytes);
    words[CHANNEL_LENGTH / 4] = 1u << length_bits;
    words[CHANNEL_LENGTH_BITS / 4] = length_bits;
    words[CHANNEL_GROUP / 4] = 1u << group_bits;
    words[CHANNEL_GROUP_BITS / 4] = group_bits;
}
static inline uint32_t load(const void *channel, uint32_t offset) { return CHANNEL_LOAD(0, address_of(channel) + offset); }

/* Something came about that workers of the graph at this address may wait for: graph.c, in programs that have graphs. */
void __mog_graph_news(uint32_t graph) __attribute__((weak));
/* Sleeps while the word in the window has that value; may wake for no reason. */
void __mog_channel_sleep(const void *word, uint32_t value);

/* What was made under a name, by whichever PE came first: `make` fills the block, which is all zero, and may fail with errno. The lock is
 * held meanwhile. */
void *__mog_find_or_make(const char *name, uint32_t kind, uint32_t bytes, int (*make)(void *block, const void *with), const void *with);
/* The host schedules the graph at this address from now on. */
void __mog_graph_is_hosted(uint32_t graph);
void *__mog_window_piece(uint32_t bytes);     /* zero, at an address that 64 divides; NULL and ENOMEM */
uint32_t __mog_window_text(const char *text); /* a copy; 0 and ENOMEM */
void __mog_channel_say(const char *format, ...) __attribute__((format(printf, 1, 2))); /* a line on standard error, with the PE before it */

#endif
