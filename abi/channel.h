/* channel.h: channels in the window: what lies where, and the steps of reserving, publishing, claiming and freeing elements. PEs' library, the host's
 * (libmog) and the model checker of tests/channels do the same steps on memory of their own kind.
 *
 * Whoever includes this has defined how memory is reached: `m` is whatever that needs, `at` an address in the window.
 *
 *   CHANNEL_MEMORY                           the type of `m`
 *   CHANNEL_FIXED(m, at)                     a word that does not change after the channel was made
 *   CHANNEL_LOAD(m, at), _STORE(m, at, v)    acquire, release
 *   CHANNEL_READ(m, at), _WRITE(m, at, v)    relaxed: a step that is a fence orders it, or it does not matter; on MIPS the others are a `sync` more
 *   CHANNEL_RESERVE(m, at, count, limit, &was, &tries)   `count` more, unless that is beyond `limit`: whether it was done, in one step; what was
 *                                            there; and how many compare-and-swaps of the caller's own it took (0: others did it with theirs); a fence
 *   CHANNEL_CAS(m, at, expected, wanted)     whether it was done; a fence
 *   CHANNEL_ADD(m, at, n), _SWAP(m, at, v)   what was there before; a fence
 *   CHANNEL_RELAX(m)                         others go first
 *   CHANNEL_ROOM_MADE(m, channel)            elements were freed: tells who waits for that
 *
 * The method is that of M. Orr, B. Beckmann, S. Reinhardt, D. Wood, "Fine-grain Task Aggregation and Coordination on GPUs" (2014), section 3, but that
 * an entry of the control array says by itself whether it is written, so that producers do not wait for each other.
 *
 *   data array      `length` elements, a power of two. Positions count from 0 on and wrap at 2^32; position p is in element p % length.
 *                   [head, tail) are not available: reserved, ready, dispatched or done.
 *   control array   2 * length words. A word is the index of an element that was published, and above it which lap of the array wrote it. [control
 *                   head, control tail) are ready, or about to be. An element's word is not written again before the element is freed: while it is
 *                   not, its head cannot pass it, so at most length - 1 elements from before it and as many from behind it can be published.
 *   done counts     one for `group` adjacent elements: how many of them are done. The head goes on by whole groups, in order.
 */
#ifndef MOG_ABI_CHANNEL_H
#define MOG_ABI_CHANNEL_H

#include <stdint.h>

/* Bytes from a channel's beginning. What different parties write stands in lines of its own. */
enum {
    CHANNEL_NEXT = 0, /* the next one in the list of all; 0: the last */
    CHANNEL_KIND = 4,
    CHANNEL_NAME = 8, /* addresses of texts */
    CHANNEL_TYPE = 12,
    CHANNEL_ELEMENT_BYTES = 16,
    CHANNEL_STRIDE = 20,
    CHANNEL_LENGTH = 24,
    CHANNEL_LENGTH_BITS = 28,
    CHANNEL_GROUP = 32,
    CHANNEL_GROUP_BITS = 36,
    CHANNEL_FLAGS = 40,
    CHANNEL_DATA = 44, /* addresses of arrays */
    CHANNEL_CONTROL = 48,
    CHANNEL_DONE = 52,
    CHANNEL_TAIL = 64,
    CHANNEL_PADS = 72, /* elements that were left out for a reservation that has to be in one piece */
    CHANNEL_HEAD = 128,
    CHANNEL_FREEING = 132, /* somebody moves the head; how many have asked for it */
    CHANNEL_CONTROL_TAIL = 192,
    CHANNEL_CONTROL_HEAD = 256,
    CHANNEL_ROOM_EVENT = 320, /* changes when there is more room; who sleeps for it */
    CHANNEL_ROOM_WAITERS = 324,
    CHANNEL_WORK_EVENT = 328, /* the same for elements */
    CHANNEL_WORK_WAITERS = 332,
    CHANNEL_PRODUCERS = 336, /* that have not finished; counted down to 0 */
    CHANNEL_CLOSED = 340,
    CHANNEL_GRAPH = 344, /* address of the graph that it belongs to, or 0 */
    CHANNEL_COUNTS = 384, /* statistics, if CHANNEL_COUNTED */
    CHANNEL_BYTES = 448
};
enum { CHANNEL_KIND_CHANNEL = 0x4e414843, CHANNEL_KIND_GRAPH = 0x48505247 };
/* Flags; the first ones are those of <mog/channel.h>. */
enum { CHANNEL_HOST = 1, CHANNEL_ALONE = 2, CHANNEL_COUNTED = 4 };
/* Statistics, in words from CHANNEL_COUNTS. */
enum {
    CHANNEL_COUNT_RESERVATIONS,
    CHANNEL_COUNT_CAS,
    CHANNEL_COUNT_CAS_FAILED,
    CHANNEL_COUNT_JOINED, /* reservations that another one did with its own */
    CHANNEL_COUNT_CLAIMS,
    CHANNEL_COUNT_ROOM_WAITS,
    CHANNEL_COUNT_WORK_WAITS,
    CHANNEL_COUNT_ALL
};

#define CHANNEL_NO_ROOM 0xffffffffu

static inline void channel_count(CHANNEL_MEMORY m, uint32_t channel, uint32_t what, uint32_t n) {
    if (CHANNEL_FIXED(m, channel + CHANNEL_FLAGS) & CHANNEL_COUNTED) (void)CHANNEL_ADD(m, channel + CHANNEL_COUNTS + 4 * what, n);
}

/* ---- freeing */

/* Groups that are done are freed, in order. One does it at a time; who comes meanwhile has it look again. */
static inline void channel_collect(CHANNEL_MEMORY m, uint32_t channel) {
    const uint32_t mask = CHANNEL_FIXED(m, channel + CHANNEL_LENGTH) - 1, group = CHANNEL_FIXED(m, channel + CHANNEL_GROUP);
    const uint32_t group_bits = CHANNEL_FIXED(m, channel + CHANNEL_GROUP_BITS), counts = CHANNEL_FIXED(m, channel + CHANNEL_DONE);
    int freed = 0;
    uint32_t asked;
    if (CHANNEL_ADD(m, channel + CHANNEL_FREEING, 1u) != 0) return;
    do {
        asked = CHANNEL_LOAD(m, channel + CHANNEL_FREEING);
        for (;;) {
            const uint32_t head = CHANNEL_LOAD(m, channel + CHANNEL_HEAD), count = counts + 4 * ((head & mask) >> group_bits);
            if (CHANNEL_LOAD(m, count) != group) break;
            CHANNEL_STORE(m, count, 0);
            CHANNEL_STORE(m, channel + CHANNEL_HEAD, head + group);
            freed = 1;
        }
    } while (!CHANNEL_CAS(m, channel + CHANNEL_FREEING, asked, 0));
    if (freed) CHANNEL_ROOM_MADE(m, channel);
}

/* So many elements from an index on are done. 0: some of them were before. */
static inline int channel_finish(CHANNEL_MEMORY m, uint32_t channel, uint32_t index, uint32_t count) {
    const uint32_t group = CHANNEL_FIXED(m, channel + CHANNEL_GROUP), group_bits = CHANNEL_FIXED(m, channel + CHANNEL_GROUP_BITS);
    const uint32_t counts = CHANNEL_FIXED(m, channel + CHANNEL_DONE);
    int complete = 0;
    while (count > 0) {
        const uint32_t left = group - (index & (group - 1)), here = count < left ? count : left;
        const uint32_t before = CHANNEL_ADD(m, counts + 4 * (index >> group_bits), here);
        if (before + here > group) return 0;
        complete |= before + here == group;
        index += here;
        count -= here;
    }
    if (complete) channel_collect(m, channel);
    return 1;
}

/* ---- reserving */

/* `count` elements from an index on, perhaps round the array's end, are left out. */
static inline void channel_leave_out(CHANNEL_MEMORY m, uint32_t channel, uint32_t index, uint32_t count) {
    const uint32_t length = CHANNEL_FIXED(m, channel + CHANNEL_LENGTH), here = count < length - index ? count : length - index;
    (void)CHANNEL_ADD(m, channel + CHANNEL_PADS, count);
    (void)channel_finish(m, channel, index, here);
    if (count > here) (void)channel_finish(m, channel, 0, count - here);
}

/* The index of the first of `count` elements in one piece, or CHANNEL_NO_ROOM. Where the array's end is in between what is left there is left out, and done at
 * once. Where the head is an older one, there seems to be less room than there is. */
static inline uint32_t channel_reserve(CHANNEL_MEMORY m, uint32_t channel, uint32_t count) {
    const uint32_t length = CHANNEL_FIXED(m, channel + CHANNEL_LENGTH), alone = CHANNEL_FIXED(m, channel + CHANNEL_FLAGS) & CHANNEL_ALONE;
    for (;;) {
        const uint32_t tail = alone || count > 1 ? CHANNEL_READ(m, channel + CHANNEL_TAIL) : 0, head = CHANNEL_READ(m, channel + CHANNEL_HEAD);
        const uint32_t index = tail & (length - 1), pad = count > length - index ? length - index : 0, used = tail - head;
        uint32_t wanted = pad + count;
        if (pad == 0 && !alone) {
            uint32_t was, tries;
            const int done = CHANNEL_RESERVE(m, channel + CHANNEL_TAIL, count, head + length, &was, &tries);
            if (tries > 0) channel_count(m, channel, CHANNEL_COUNT_CAS, tries);
            if (tries > (uint32_t)done) channel_count(m, channel, CHANNEL_COUNT_CAS_FAILED, tries - (uint32_t)done);
            if (!done) {
                /* Others came in between: perhaps what is left at the array's end is too short by now, and has to be left out to become room. */
                if (count > 1 && was != tail) continue;
                return CHANNEL_NO_ROOM;
            }
            if (tries == 0) channel_count(m, channel, CHANNEL_COUNT_JOINED, 1);
            if (count <= length - (was & (length - 1))) return was & (length - 1);
            /* Others came in between, so that it is in two pieces. */
            channel_leave_out(m, channel, was & (length - 1), count);
            continue;
        }
        if (used > length) continue; /* the tail is an old one */
        if (wanted > length - used) {
            if (pad == 0 || pad > length - used) return CHANNEL_NO_ROOM;
            wanted = pad;
        }
        channel_count(m, channel, CHANNEL_COUNT_CAS, 1);
        if (!CHANNEL_CAS(m, channel + CHANNEL_TAIL, tail, tail + wanted)) {
            channel_count(m, channel, CHANNEL_COUNT_CAS_FAILED, 1);
            continue;
        }
        if (pad > 0) channel_leave_out(m, channel, index, pad);
        if (wanted >= count + pad) return pad ? 0 : index;
    }
}

/* ---- publishing and claiming */

static inline uint32_t channel_lap(uint32_t position, uint32_t length_bits) { return ((position >> (length_bits + 1)) + 1) << length_bits; }
static inline uint32_t channel_entry(CHANNEL_MEMORY m, uint32_t channel, uint32_t position) {
    return CHANNEL_FIXED(m, channel + CHANNEL_CONTROL) + 4 * (position & (2 * CHANNEL_FIXED(m, channel + CHANNEL_LENGTH) - 1));
}

/* Elements from an index on are ready. The addition is a fence: elements are written before their entries. The last entry is swapped in, which is
 * one, too: who is told of nothing has seen it. */
static inline void channel_publish(CHANNEL_MEMORY m, uint32_t channel, uint32_t index, uint32_t count) {
    const uint32_t bits = CHANNEL_FIXED(m, channel + CHANNEL_LENGTH_BITS);
    const uint32_t first = CHANNEL_ADD(m, channel + CHANNEL_CONTROL_TAIL, count);
    for (uint32_t i = 0; i + 1 < count; ++i)
        CHANNEL_WRITE(m, channel_entry(m, channel, first + i), channel_lap(first + i, bits) | (index + i));
    const uint32_t last = first + count - 1;
    (void)CHANNEL_SWAP(m, channel_entry(m, channel, last), channel_lap(last, bits) | (index + count - 1));
}

/* At least `least` (one or more) and at most `most` elements that are ready are the caller's: their number, and the position of the first one's entry. 0: there
 * are fewer. An entry of the head's lap stays while the head does, so that it may be read at any time before the compare-and-swap, which is a fence between
 * entries and elements. */
static inline uint32_t channel_claim(CHANNEL_MEMORY m, uint32_t channel, uint32_t least, uint32_t most, uint32_t *position) {
    const uint32_t bits = CHANNEL_FIXED(m, channel + CHANNEL_LENGTH_BITS), mask = ~0u << bits;
    for (;;) {
        const uint32_t head = CHANNEL_READ(m, channel + CHANNEL_CONTROL_HEAD);
        uint32_t count = 0;
        while (count < most && (CHANNEL_READ(m, channel_entry(m, channel, head + count)) & mask) == channel_lap(head + count, bits)) ++count;
        if (count < least) {
            if (CHANNEL_LOAD(m, channel + CHANNEL_CONTROL_HEAD) == head) return 0;
            continue; /* others were faster */
        }
        channel_count(m, channel, CHANNEL_COUNT_CLAIMS, 1);
        if (CHANNEL_CAS(m, channel + CHANNEL_CONTROL_HEAD, head, head + count)) {
            *position = head;
            return count;
        }
    }
}

/* Of an entry that was claimed and whose element was not freed. */
static inline uint32_t channel_index(CHANNEL_MEMORY m, uint32_t channel, uint32_t position) {
    return CHANNEL_READ(m, channel_entry(m, channel, position)) & (CHANNEL_FIXED(m, channel + CHANNEL_LENGTH) - 1);
}

#endif
