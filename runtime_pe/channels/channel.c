/* channel.c: the functions of <mog/channel.h>: the steps of abi/channel.h, with waiting around them. */
#include <mog.h>
#include <stdlib.h>
#include <string.h>

#include "steps.h"

/* ---- made, and connected to */

struct wish {
    const char *name, *type;
    size_t bytes;
    uint32_t length;
    mog_channel_options options;
};

static uint32_t bits_of(uint32_t number) { return number <= 1 ? 0 : 32 - (uint32_t)__builtin_clz(number - 1); }

static int make(void *block, const void *with) {
    const struct wish *wish = with;
    uint32_t *words = block;
    const uint32_t length_bits = bits_of(wish->length), length = 1u << length_bits;
    uint32_t group_bits = bits_of(wish->options.done_count ? wish->options.done_count : 64);
    if (group_bits > length_bits) group_bits = length_bits;
    const uint32_t stride = stride_of((uint32_t)wish->bytes);
    if (length > UINT32_MAX / 16 || stride > UINT32_MAX / length) return errno = ENOMEM, 0;
    set_shape(words, (uint32_t)wish->bytes, length_bits, group_bits);
    words[CHANNEL_FLAGS / 4] = wish->options.flags;
    words[CHANNEL_PRODUCERS / 4] = wish->options.producers ? wish->options.producers : (uint32_t)NPROC;
    if (!(words[CHANNEL_TYPE / 4] = __mog_window_text(wish->type))) return 0;
    if (!(words[CHANNEL_DATA / 4] = address_of(__mog_window_piece(length * stride)))) return 0;
    if (!(words[CHANNEL_CONTROL / 4] = address_of(__mog_window_piece(2 * length * sizeof(uint32_t))))) return 0;
    if (!(words[CHANNEL_DONE / 4] = address_of(__mog_window_piece((length >> group_bits) * sizeof(uint32_t))))) return 0;
    return 1;
}

mog_channel *mog_channel_open(const char *name, const char *type, size_t bytes, uint32_t length, const mog_channel_options *options) {
    struct wish wish = {name, type, bytes, length, options ? *options : (mog_channel_options){0, 0, 0}};
    if (!name || !type || bytes == 0 || bytes > UINT32_MAX / 2 || length > 1u << 28 ||
        wish.options.done_count & (wish.options.done_count - 1))
        return errno = EINVAL, NULL;
    void *channel = __mog_find_or_make(name, CHANNEL_KIND_CHANNEL, CHANNEL_BYTES, length ? make : NULL, &wish);
    if (!channel) return NULL;
    const char *there = (const char *)CHANNEL_WORD(fixed(channel, CHANNEL_TYPE));
    if (bytes != fixed(channel, CHANNEL_ELEMENT_BYTES) || strcmp(type, there) != 0) {
        __mog_channel_say("channel \"%s\" is opened for elements of type %s with %lu bytes, but has such of type %s with %lu", name, type,
                          (unsigned long)bytes, there, (unsigned long)fixed(channel, CHANNEL_ELEMENT_BYTES));
        return errno = EINVAL, NULL;
    }
    if (length && 1u << bits_of(length) != fixed(channel, CHANNEL_LENGTH)) {
        __mog_channel_say("channel \"%s\" is opened for %lu elements, but has room for %lu", name, (unsigned long)length,
                          (unsigned long)fixed(channel, CHANNEL_LENGTH));
        return errno = EINVAL, NULL;
    }
    return channel;
}

const char *mog_channel_name(const mog_channel *channel) { return (const char *)CHANNEL_WORD(fixed(channel, CHANNEL_NAME)); }
const char *mog_channel_type(const mog_channel *channel) { return (const char *)CHANNEL_WORD(fixed(channel, CHANNEL_TYPE)); }
size_t mog_channel_element_bytes(const mog_channel *channel) { return fixed(channel, CHANNEL_ELEMENT_BYTES); }
uint32_t mog_channel_length(const mog_channel *channel) { return fixed(channel, CHANNEL_LENGTH); }

/* ---- waiting: who sleeps is counted before it looks once more, and who changes something looks for sleepers after a fence */

static void tell(uint32_t channel, uint32_t event, uint32_t waiters) {
    if (CHANNEL_READ(0, channel + waiters) == 0) return;
    CHANNEL_ADD(0, channel + event, 1);
    __mog_channel_wake(CHANNEL_WORD(channel + event));
}

/* The graph is told by itself, for its workers wait for anything. */
static void tell_graph(uint32_t channel) {
    const uint32_t graph = CHANNEL_FIXED(0, channel + CHANNEL_GRAPH);
    if (graph && __mog_graph_news) __mog_graph_news(graph);
}

void __mog_channel_room_made(uint32_t channel) {
    tell(channel, CHANNEL_ROOM_EVENT, CHANNEL_ROOM_WAITERS);
    tell_graph(channel);
}
static void work_made(uint32_t channel) {
    tell(channel, CHANNEL_WORK_EVENT, CHANNEL_WORK_WAITERS);
    tell_graph(channel);
}

/* The host does not wake anybody. Others of a warp may be those who are waited for, so that a turn is given up before. */
static void wait_for(uint32_t channel, uint32_t event, uint32_t seen) {
    if (CHANNEL_FIXED(0, channel + CHANNEL_FLAGS) & CHANNEL_HOST) relax();
    else __mog_channel_sleep(CHANNEL_WORD(channel + event), seen);
}

/* ---- producing */

static void *element(uint32_t channel, uint32_t index) {
    return CHANNEL_WORD(CHANNEL_FIXED(0, channel + CHANNEL_DATA) + index * CHANNEL_FIXED(0, channel + CHANNEL_STRIDE));
}
/* Who finds it closed sees what was published before; nobody else is delayed by a fence. */
static int is_closed(uint32_t channel) {
    if (CHANNEL_READ(0, channel + CHANNEL_CLOSED) == 0) return 0;
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    return 1;
}

static void *allocate(uint32_t channel, uint32_t count, int waits) {
    if (count - 1 >= CHANNEL_FIXED(0, channel + CHANNEL_LENGTH)) return errno = EINVAL, NULL;
    if (is_closed(channel)) return errno = EPIPE, NULL;
    channel_count(0, channel, CHANNEL_COUNT_RESERVATIONS, 1);
    uint32_t index = channel_reserve(0, channel, count);
    if (index == CHANNEL_NO_ROOM && !waits) return errno = EAGAIN, NULL;
    for (int tries = 0; index == CHANNEL_NO_ROOM; ++tries) {
        const uint32_t seen = CHANNEL_LOAD(0, channel + CHANNEL_ROOM_EVENT);
        if (tries < SPINS) {
            relax();
            index = channel_reserve(0, channel, count);
            continue;
        }
        CHANNEL_ADD(0, channel + CHANNEL_ROOM_WAITERS, 1);
        index = channel_reserve(0, channel, count);
        if (index == CHANNEL_NO_ROOM) {
            channel_count(0, channel, CHANNEL_COUNT_ROOM_WAITS, 1);
            wait_for(channel, CHANNEL_ROOM_EVENT, seen);
        }
        CHANNEL_ADD(0, channel + CHANNEL_ROOM_WAITERS, -1u);
        if (index == CHANNEL_NO_ROOM) index = channel_reserve(0, channel, count);
    }
    return element(channel, index);
}

void *mog_channel_talloc(mog_channel *channel, uint32_t count) { return allocate(address_of(channel), count, 1); }
void *mog_channel_try_talloc(mog_channel *channel, uint32_t count) { return allocate(address_of(channel), count, 0); }

void mog_channel_enq(mog_channel *to, void *elements, uint32_t count) {
    const uint32_t channel = address_of(to);
    const uint32_t offset = address_of(elements) - CHANNEL_FIXED(0, channel + CHANNEL_DATA),
                   stride = CHANNEL_FIXED(0, channel + CHANNEL_STRIDE);
    const uint32_t index = offset / stride, length = CHANNEL_FIXED(0, channel + CHANNEL_LENGTH);
    if (count == 0) return;
    if (offset % stride || index >= length || count > length - index) {
        __mog_channel_say("mog_channel_enq: %lu elements at %p are not channel \"%s\"'s", (unsigned long)count, elements,
                          mog_channel_name(to));
        abort();
    }
    channel_publish(0, channel, index, count);
    work_made(channel);
}

/* ---- consuming */

/* Where the head is read later than the tail it may be beyond that. */
static uint32_t unclaimed(uint32_t channel) {
    const int32_t count = (int32_t)(CHANNEL_READ(0, channel + CHANNEL_CONTROL_TAIL) - CHANNEL_READ(0, channel + CHANNEL_CONTROL_HEAD));
    return count > 0 ? (uint32_t)count : 0;
}

uint32_t mog_channel_try_take(mog_channel *channel, uint32_t least, uint32_t most, uint32_t *at) {
    return channel_claim(0, address_of(channel), least ? least : 1, most, at);
}

uint32_t mog_channel_take(mog_channel *from, uint32_t least, uint32_t most, uint32_t *at) {
    const uint32_t channel = address_of(from);
    if (least == 0) least = 1;
    if (most == 0) return 0;
    if (least > most) least = most;
    for (int tries = 0;; ++tries) {
        const uint32_t seen = CHANNEL_LOAD(0, channel + CHANNEL_WORK_EVENT);
        const int closed = is_closed(channel), sleeps = tries >= SPINS;
        if (sleeps) CHANNEL_ADD(0, channel + CHANNEL_WORK_WAITERS, 1);
        const uint32_t count = channel_claim(0, channel, closed ? 1 : least, most, at);
        const int over = count > 0 || (closed && unclaimed(channel) == 0);
        if (!over && !sleeps) relax();
        if (!over && sleeps && is_closed(channel) == closed) {
            channel_count(0, channel, CHANNEL_COUNT_WORK_WAITS, 1);
            wait_for(channel, CHANNEL_WORK_EVENT, seen);
        }
        if (sleeps) CHANNEL_ADD(0, channel + CHANNEL_WORK_WAITERS, -1u);
        if (over) return count;
    }
}

void *mog_channel_deq(mog_channel *channel, uint32_t at) { return element(address_of(channel), channel_index(0, address_of(channel), at)); }

void mog_channel_tfree(mog_channel *from, uint32_t at, uint32_t count) {
    const uint32_t channel = address_of(from);
    for (uint32_t i = 0; i < count;) {
        /* Neighbours that were published together are counted at once. Entries are read before their elements are freed. */
        const uint32_t index = channel_index(0, channel, at + i);
        uint32_t together = 1;
        while (i + together < count && channel_index(0, channel, at + i + together) == index + together) ++together;
        i += together;
        if (channel_finish(0, channel, index, together)) continue;
        __mog_channel_say("mog_channel_tfree: an element of channel \"%s\" is freed twice, at place %lu", mog_channel_name(from),
                          (unsigned long)at);
        abort();
    }
}

int mog_channel_put(mog_channel *channel, const void *from) {
    void *place = mog_channel_talloc(channel, 1);
    if (!place) return -1;
    memcpy(place, from, fixed(channel, CHANNEL_ELEMENT_BYTES));
    mog_channel_enq(channel, place, 1);
    return 0;
}

int mog_channel_get(mog_channel *channel, void *to) {
    uint32_t at;
    if (mog_channel_take(channel, 1, 1, &at) == 0) return errno = EPIPE, -1;
    memcpy(to, mog_channel_deq(channel, at), fixed(channel, CHANNEL_ELEMENT_BYTES));
    mog_channel_tfree(channel, at, 1);
    return 0;
}

/* ---- the end, and what is told */

void mog_channel_close(mog_channel *channel) {
    CHANNEL_SWAP(0, address_of(channel) + CHANNEL_CLOSED, 1);
    tell(address_of(channel), CHANNEL_WORK_EVENT, CHANNEL_WORK_WAITERS);
}
void mog_channel_finish(mog_channel *channel) {
    if (CHANNEL_ADD(0, address_of(channel) + CHANNEL_PRODUCERS, -1u) == 1) mog_channel_close(channel);
}

uint32_t mog_channel_ready(const mog_channel *channel) { return unclaimed(address_of(channel)); }

mog_channel_state mog_channel_get_state(const mog_channel *channel) {
    mog_channel_state state = {.length = fixed(channel, CHANNEL_LENGTH), .closed = is_closed(address_of(channel))};
    const uint32_t groups = state.length >> fixed(channel, CHANNEL_GROUP_BITS);
    const uint32_t head = load(channel, CHANNEL_HEAD), tail = load(channel, CHANNEL_TAIL);
    const uint32_t claimed = load(channel, CHANNEL_CONTROL_HEAD), published = load(channel, CHANNEL_CONTROL_TAIL);
    for (uint32_t i = 0; i < groups; ++i) state.done += CHANNEL_LOAD(0, fixed(channel, CHANNEL_DONE) + 4 * i);
    state.available = state.length - (tail - head);
    state.ready = published - claimed;
    state.reserved = tail - load(channel, CHANNEL_PADS) - published;
    state.dispatched = tail - head - state.done - state.ready - state.reserved;
    return state;
}

mog_channel_statistics mog_channel_get_statistics(const mog_channel *channel) {
    uint32_t counts[CHANNEL_COUNT_ALL];
    for (uint32_t i = 0; i < CHANNEL_COUNT_ALL; ++i) counts[i] = load(channel, CHANNEL_COUNTS + 4 * i);
    return (mog_channel_statistics){counts[CHANNEL_COUNT_RESERVATIONS], counts[CHANNEL_COUNT_CAS],    counts[CHANNEL_COUNT_CAS_FAILED],
                                    counts[CHANNEL_COUNT_JOINED],       counts[CHANNEL_COUNT_CLAIMS], counts[CHANNEL_COUNT_ROOM_WAITS],
                                    counts[CHANNEL_COUNT_WORK_WAITS]};
}
