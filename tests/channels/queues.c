/* queues.c: PEs and threads that produce and consume together: nothing is lost, nothing comes twice, and what one producer publishes comes to each consumer in its
 * order. Arguments: elements of each producer, threads of each PE (default: 500, 1). Every PE produces and consumes; what came is added up over all of them. */
#include <errno.h>
#include <mog.h>
#include <mog/channel.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PRODUCERS = 512 };
struct item {
    unsigned producer, number;
    unsigned char filling[7]; /* no multiple of a word */
};

static unsigned each = 500, threads = 1;
static const struct setting {
    const char *name;
    uint32_t length, done_count, flags;
} settings[] = {
    {"small", 4, 1, MOG_CHANNEL_COUNTED}, {"middle", 64, 8, MOG_CHANNEL_COUNTED}, {"alone", 64, 0, MOG_CHANNEL_ALONE}, {"large", 1000, 0, MOG_CHANNEL_COUNTED}};
enum { SETTINGS = sizeof settings / sizeof *settings };
static mog_channel *channels[SETTINGS];
static MOG_SHARED unsigned char seen[SETTINGS][MOST_PRODUCERS * 1024];
static MOG_SHARED unsigned wrong, came[SETTINGS], sum[SETTINGS], waits_at_start;

static void consume(int which, unsigned *last, uint32_t least, uint32_t most) {
    uint32_t at;
    const uint32_t count = mog_channel_try_take(channels[which], least, most, &at);
    for (uint32_t i = 0; i < count; ++i) {
        const struct item *item = mog_channel_deq(channels[which], at + i);
        if (item->producer >= MOST_PRODUCERS || item->number >= each) {
            __atomic_fetch_add(&wrong, 1, __ATOMIC_RELAXED);
            continue;
        }
        int bad = __atomic_exchange_n(&seen[which][item->producer * 1024 + item->number], 1, __ATOMIC_RELAXED) != 0;
        bad |= item->number < last[item->producer]; /* of one producer, in order */
        for (unsigned k = 0; k < sizeof item->filling; ++k) bad |= item->filling[k] != (unsigned char)(item->number + k);
        last[item->producer] = item->number + 1;
        if (bad) __atomic_fetch_add(&wrong, 1, __ATOMIC_RELAXED);
        __atomic_fetch_add(&sum[which], item->producer * 3 + item->number, __ATOMIC_RELAXED);
    }
    if (count) {
        mog_channel_tfree(channels[which], at, count);
        __atomic_fetch_add(&came[which], count, __ATOMIC_RELAXED);
    }
}

static void *work(void *argument) {
    const unsigned me = (unsigned)(uintptr_t)argument, producers = (unsigned)NPROC * threads;
    unsigned *last = malloc(sizeof *last * MOST_PRODUCERS);
    for (int which = 0; which < SETTINGS; ++which) {
        unsigned made = 0, random = me * 2654435761u + (unsigned)which;
        memset(last, 0, sizeof *last * MOST_PRODUCERS);
        while (__atomic_load_n(&came[which], __ATOMIC_RELAXED) < producers * each) {
            random = random * 1664525 + 1013904223;
            uint32_t count = 1 + (random >> 20) % 4;
            if (count > each - made) count = each - made;
            struct item *items = count ? mog_channel_try_talloc(channels[which], count) : NULL;
            if (items) {
                for (uint32_t i = 0; i < count; ++i) {
                    items[i].producer = me;
                    items[i].number = made + i;
                    for (unsigned k = 0; k < sizeof items->filling; ++k) items[i].filling[k] = (unsigned char)(made + i + k);
                }
                if (random & 0x1000) mog_channel_enq(channels[which], items, count);
                else
                    for (uint32_t i = 0; i < count; ++i) mog_channel_enq(channels[which], items + i, 1);
                made += count;
            }
            consume(which, last, 1, 1 + (random >> 28));
            if (!items) __asm__ volatile("sll $0, $0, 5"); /* pause */
        }
    }
    free(last);
    return NULL;
}

int main(int argc, char **argv) {
    if (argc > 1) each = (unsigned)atoi(argv[1]);
    if (argc > 2) threads = (unsigned)atoi(argv[2]);
    if (each > 1024 || threads == 0 || (unsigned)NPROC * threads > MOST_PRODUCERS) return fprintf(stderr, "too many\n"), 2;
    for (int which = 0; which < SETTINGS; ++which) {
        const mog_channel_options options = {settings[which].flags, settings[which].done_count, 0};
        channels[which] = mog_channel_open(settings[which].name, "struct item", sizeof(struct item), settings[which].length, &options);
        if (!channels[which]) return perror("open"), 1;
    }
    pthread_t *others = calloc(threads, sizeof *others);
    for (unsigned t = 1; t < threads; ++t)
        if (pthread_create(&others[t], NULL, work, (void *)(uintptr_t)((unsigned)IPROC * threads + t))) return perror("pthread_create"), 1;
    work((void *)(uintptr_t)((unsigned)IPROC * threads));
    for (unsigned t = 1; t < threads; ++t) pthread_join(others[t], NULL);
    free(others);
    /* The last PE tells. */
    if (__atomic_add_fetch(&waits_at_start, 1, __ATOMIC_ACQ_REL) != (unsigned)NPROC) return 0;
    const unsigned producers = (unsigned)NPROC * threads;
    for (int which = 0; which < SETTINGS; ++which) {
        const mog_channel_state state = mog_channel_get_state(channels[which]);
        unsigned expected = 3 * each * (producers * (producers - 1) / 2) + producers * (each * (each - 1) / 2);
        printf("%s: %u elements, %s, %u reserved, %u ready, %u dispatched\n", settings[which].name, came[which],
               sum[which] == expected ? "all different" : "WRONG SUM", (unsigned)state.reserved, (unsigned)state.ready, (unsigned)state.dispatched);
    }
    printf("%u wrong\n", wrong);
    return wrong != 0;
}
