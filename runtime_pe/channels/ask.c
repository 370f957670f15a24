/* ask.c: graphs that are scheduled by somebody who is not one of the workers (abi/graph.h): how workers ask, and a PE that schedules. */
#include <mog.h>
#include <stddef.h>
#include <time.h>

#include "graph.h"

/* Of a mailbox: what only its worker writes. */
struct mail_own {
    uint32_t asked;
    uint32_t unused;
    uint64_t worked, waited; /* ns */
};
_Static_assert(MAIL_OWN + sizeof(struct mail_own) <= MAIL_BYTES, "a mailbox has room for it");

/* What the thread is at present: as a worker its mailbox, and since when it works or waits, if that is measured; as a scheduler the graph.
 */
static _Thread_local struct {
    uint32_t mailbox;
    uint64_t since, cost; /* ns; what a look at the clock costs */
    const mog_graph *schedules;
} own;

#define IN(graph, offset) ((graph)->block + (offset))
static struct mail_own *own_of(uint32_t mailbox) { return (struct mail_own *)CHANNEL_WORD(mailbox + MAIL_OWN); }

/* ---- time */

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}
/* What went by since the last look, without the look. */
static void add_time(uint64_t *to) {
    if (own.since == 0) return;
    const uint64_t before = own.since;
    own.since = now();
    if (own.since - before > own.cost) *to += own.since - before - own.cost;
}
static void begin_time(const mog_graph *graph) {
    enum { LOOKS = 16 };
    own.since = 0;
    if (CHANNEL_LOAD(0, IN(graph, GRAPH_TIMED)) == 0) return;
    const uint64_t begin = now();
    for (int i = 1; i < LOOKS; ++i) (void)now();
    own.since = now();
    own.cost = (own.since - begin) / LOOKS;
}

void __mog_graph_asked(const mog_graph *graph, uint64_t *worked, uint64_t *waited, uint32_t *asked) {
    for (uint32_t mailbox = CHANNEL_LOAD(0, IN(graph, GRAPH_MAILBOXES)); mailbox; mailbox = CHANNEL_FIXED(0, mailbox + MAIL_NEXT)) {
        const struct mail_own *one = own_of(mailbox);
        *asked += one->asked;
        *worked += one->worked;
        *waited += one->waited;
    }
}

/* ---- workers */

static int has_taken(uint32_t mailbox) { return CHANNEL_CAS(0, mailbox + MAIL_STATE, MAIL_NOBODYS, MAIL_WORKS); }

int __mog_graph_begin_to_ask(mog_graph *graph) {
    const uint32_t list = IN(graph, GRAPH_MAILBOXES);
    uint32_t mailbox = CHANNEL_LOAD(0, list);
    while (mailbox && !has_taken(mailbox)) mailbox = CHANNEL_FIXED(0, mailbox + MAIL_NEXT);
    if (!mailbox) {
        if (!(mailbox = address_of(__mog_window_piece(MAIL_BYTES)))) return 0;
        CHANNEL_STORE(0, mailbox + MAIL_STATE, MAIL_WORKS);
        do CHANNEL_STORE(0, mailbox + MAIL_NEXT, CHANNEL_LOAD(0, list));
        while (!CHANNEL_CAS(0, list, CHANNEL_FIXED(0, mailbox + MAIL_NEXT), mailbox));
    }
    own.mailbox = mailbox;
    begin_time(graph);
    /* The host finds the graph in a list, and from then on rests until somebody asks. */
    if (CHANNEL_READ(0, IN(graph, GRAPH_SCHEDULER)) == GRAPH_HOST && CHANNEL_SWAP(0, IN(graph, GRAPH_SERVED), 1) == 0) {
        __mog_graph_is_hosted(graph->block);
        CHANNEL_SWAP(0, IN(graph, GRAPH_RESTS), 1);
    }
    return 1;
}

void __mog_graph_end_to_ask(mog_graph *graph) {
    (void)graph;
    add_time(&own_of(own.mailbox)->worked);
    CHANNEL_STORE(0, own.mailbox + MAIL_STATE, MAIL_NOBODYS);
    own.mailbox = 0;
}

void __mog_graph_ask(mog_graph *graph, uint32_t lowest, uint32_t wants, uint32_t head) {
    const uint32_t mailbox = own.mailbox, at = mailbox + MAIL_STATE;
    uint32_t state;
    CHANNEL_WRITE(0, mailbox + MAIL_LOWEST, lowest);
    CHANNEL_WRITE(0, mailbox + MAIL_WANTS, wants);
    CHANNEL_WRITE(0, mailbox + MAIL_HEAD, head);
    ++own_of(mailbox)->asked;
    add_time(&own_of(mailbox)->worked);
    CHANNEL_SWAP(0, at, MAIL_ASKS);
    __mog_graph_news(graph->block);
    for (int tries = 0; (state = CHANNEL_LOAD(0, at)) == MAIL_ASKS || state == MAIL_SLEEPS; ++tries)
        if (tries < SPINS) relax();
        else if (state == MAIL_SLEEPS || CHANNEL_CAS(0, at, MAIL_ASKS, MAIL_SLEEPS)) __mog_channel_sleep(CHANNEL_WORD(at), MAIL_SLEEPS);
    CHANNEL_STORE(0, at, MAIL_WORKS);
    add_time(&own_of(mailbox)->waited);
    if (state != MAIL_TOLD) return;
    const uint32_t stack = CHANNEL_READ(0, mailbox + MAIL_STACK), level = CHANNEL_READ(0, mailbox + MAIL_LEVEL);
    __mog_graph_run(&graph->stacks[stack], level, CHANNEL_READ(0, mailbox + MAIL_AT), CHANNEL_READ(0, mailbox + MAIL_COUNT),
                    CHANNEL_READ(0, mailbox + MAIL_READY));
}

/* ---- a scheduler */

int __mog_graph_may(uint32_t stack, uint32_t ready, uint32_t width) {
    const mog_node *node = own.schedules->stacks[stack].node;
    return node && node->predicate && node->predicate(ready, width);
}

void __mog_graph_serve(mog_graph *graph) {
    const uint32_t rests = IN(graph, GRAPH_RESTS), event = IN(graph, GRAPH_EVENT);
    uint32_t seen = 0;
    own.schedules = graph;
    for (int tries = 0; !__mog_graph_is_over(graph) || CHANNEL_LOAD(0, IN(graph, GRAPH_WORKERS)) != 0;) {
        if (schedule_look(0, graph->block)) {
            tries = 0;
        } else if (++tries <= SPINS) {
            relax();
        } else if (tries == SPINS + 1) {
            /* It looks once more after it has said so; who wakes it from then on changes the event, be it before it sleeps. */
            seen = CHANNEL_LOAD(0, event);
            CHANNEL_SWAP(0, rests, 1);
        } else {
            __mog_channel_sleep(CHANNEL_WORD(event), seen);
            CHANNEL_SWAP(0, rests, 0);
            tries = 0;
        }
    }
    own.schedules = NULL;
    CHANNEL_STORE(0, IN(graph, GRAPH_SERVED), 0);
}
