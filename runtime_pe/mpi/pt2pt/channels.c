/* channels.c: channels of <mog/channel.h> that go on in another process of the world: what somebody forwards somebody receives.
 *
 * Messages are the library's own, of the world's communicator, with a tag for each name. The first one of a forwarder says what its
 * elements are, and is answered; then come elements, as many as lie side by side, right from where they are to where they belong; one
 * without bytes is the last. Each is done when it is received, for which there has to be room: so who is faster waits. */
#include <errno.h>
#include <mog/channel.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "runtime_pe/mpi/base/mpi_internal.h"

void __mog_channel_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

enum { MOST_ELEMENTS = 64, TEXT = 256 };

/* What one end says of itself. Texts that are longer are compared as far as they go. */
struct end {
    uint32_t element_bytes, length, refuses;
    char name[TEXT], type[TEXT];
};

static struct end end_of(const mog_channel *channel) {
    struct end end = {(uint32_t)mog_channel_element_bytes(channel), mog_channel_length(channel), 0, "", ""};
    strncpy(end.name, mog_channel_name(channel), TEXT - 1);
    strncpy(end.type, mog_channel_type(channel), TEXT - 1);
    return end;
}
static uint32_t stride_of(const mog_channel *channel) { return ((uint32_t)mog_channel_element_bytes(channel) + 3) & ~3u; }

/* Beyond those that schedules of collectives come to; an answer's is the next one. */
static unsigned tag_of(const mog_channel *channel) {
    unsigned hash = 2166136261u;
    for (const char *c = mog_channel_name(channel); *c; ++c) hash = (hash ^ (unsigned char)*c) * 16777619u;
    return 0x40000000u | (hash & 0x1fffffffu) << 1;
}

static int call(unsigned operation, unsigned flags, int peer, unsigned tag, const void *address, unsigned bytes,
                struct mog_mpi_result *result) {
    const struct mpi_comm *world = &__mog_mpi_state.world;
    const int code = (int)__mog_mpi(MOG_MPI_WORD(operation, flags, 0, 0), world->context | MOG_MPI_INTERNAL, (unsigned)world->rank,
                                    (unsigned)peer, tag, MPI_ADDRESS(address), bytes, MPI_ADDRESS(result));
    return code >= 0 ? 0 : (errno = EIO, -1);
}
static int send_bytes(int peer, unsigned tag, const void *from, unsigned bytes) {
    return call(MOG_MPI_send, MOG_MPI_SYNCHRONOUS, peer, tag, from, bytes, NULL);
}
static int receive(int peer, unsigned tag, void *to, unsigned bytes) {
    struct mog_mpi_result result = {0};
    return call(MOG_MPI_receive, 0, peer, tag, to, bytes, &result);
}

__attribute__((weak)) int mog_channel_forward(mog_channel *from, int rank) {
    const unsigned tag = tag_of(from);
    const uint32_t stride = stride_of(from);
    const struct end own = end_of(from);
    struct end other;
    uint32_t at;
    if (__mog_mpi_state.stage != MPI_BETWEEN || rank < 0 || rank >= __mog_mpi_state.world.size) return errno = EINVAL, -1;
    if (send_bytes(rank, tag, &own, sizeof own) || receive(rank, tag + 1, &other, sizeof other)) return -1;
    if (other.refuses) {
        __mog_channel_say(
            "channel \"%s\" is forwarded to rank %d with elements of type %s with %lu bytes, where channel \"%s\" has such of type %s with "
            "%lu",
            own.name, rank, own.type, (unsigned long)own.element_bytes, other.name, other.type, (unsigned long)other.element_bytes);
        return errno = EINVAL, -1;
    }
    const uint32_t most = other.length < MOST_ELEMENTS ? other.length : MOST_ELEMENTS;
    for (uint32_t count; (count = mog_channel_take(from, 1, most, &at)) > 0; mog_channel_tfree(from, at, count))
        for (uint32_t i = 0, together; i < count; i += together) {
            const char *const begin = mog_channel_deq(from, at + i);
            for (together = 1; i + together < count && mog_channel_deq(from, at + i + together) == begin + together * stride;) ++together;
            if (send_bytes(rank, tag, begin, together * stride)) return -1;
        }
    return send_bytes(rank, tag, NULL, 0);
}

/* Whether the elements of the one who asks are those of the channel, which it is told. */
static int answer(const mog_channel *to, int source, unsigned tag) {
    struct end asked, own = end_of(to);
    if (receive(source, tag, &asked, sizeof asked)) return -1;
    own.refuses = asked.element_bytes != own.element_bytes || strcmp(asked.type, own.type) != 0 || strcmp(asked.name, own.name) != 0;
    return send_bytes(source, tag + 1, &own, sizeof own) ? -1 : !own.refuses;
}

static int receive_all(mog_channel *to, uint32_t forwarders, char *is_connected) {
    const unsigned tag = tag_of(to);
    const uint32_t stride = stride_of(to);
    int refused = 0;
    while (forwarders > 0) {
        struct mog_mpi_result envelope = {0};
        if (call(MOG_MPI_probe, 0, MPI_ANY_SOURCE, tag, NULL, 0, &envelope)) return -1;
        char *const connected = is_connected + envelope.source;
        if (!*connected) {
            const int fits = answer(to, envelope.source, tag);
            if (fits < 0) return -1;
            *connected = (char)fits;
            if (!fits) refused = 1, --forwarders;
            continue;
        }
        void *const place = envelope.bytes ? mog_channel_talloc(to, envelope.bytes / stride) : NULL;
        if (envelope.bytes && !place) return -1; /* it was closed */
        if (receive(envelope.source, tag, place, envelope.bytes)) return -1;
        if (place) mog_channel_enq(to, place, envelope.bytes / stride);
        else *connected = 0, --forwarders;
    }
    return refused ? (errno = EINVAL, -1) : 0;
}

__attribute__((weak)) int mog_channel_receive(mog_channel *to, uint32_t forwarders) {
    if (__mog_mpi_state.stage != MPI_BETWEEN) return errno = EINVAL, -1;
    char *const is_connected = calloc((size_t)__mog_mpi_state.world.size, 1);
    if (!is_connected) return -1;
    const int result = receive_all(to, forwarders, is_connected);
    free(is_connected);
    return result;
}
