/* graph.h: graphs of channels in the window: what of a graph lies where, and the steps of a scheduler that is not one of its workers: a PE
 * (the PEs' library), or the host between launches (the service loop). Both do the same steps on memory of their own kind.
 *
 * Whoever includes this has included channel.h, for which it has defined how memory is reached, and has defined
 *
 *   SCHEDULE_WAKE(m, at)                     who sleeps on that word goes on
 *   SCHEDULE_MAY(m, stack, ready, width)     whether a batch that is not full may be dispatched, though others are (a node's predicate)
 *
 * Each worker has a mailbox. It asks, with the lowest level that it may run; who waits for room in a channel also says in which one, and
 * what its head was when there was none. The scheduler answers with a batch, or that the worker should look again: there may be room, or
 * the graph is over. A mailbox that asks is the scheduler's, another one the worker's; and elements are claimed by the scheduler alone. So
 * no word has two writers at a time but such as only the workers write, and the host needs no atomic operations on the window.
 *
 * The method is that of M. Orr, B. Beckmann, S. Reinhardt, D. Wood, "Fine-grain Task Aggregation and Coordination on GPUs" (2014), sections
 * 3 and 5.2, but that whoever completes a group of elements frees it.
 */
#ifndef MOG_ABI_GRAPH_H
#define MOG_ABI_GRAPH_H

/* Bytes from the beginning of a graph's block, whose first words are a channel's. */
enum {
    GRAPH_SCHEDULER = 12, /* below */
    GRAPH_NEXT_HOSTED = 16,
    GRAPH_STACK_COUNT = 20,
    GRAPH_STACK_LIST = 64, /* addresses of what is known of each */
    GRAPH_PENDING = 128,   /* elements that are published and whose function is not over; and who is to execute and has not begun */
    GRAPH_STATE = 192,     /* of workers who schedule themselves: runtime_pe/channels/graph.h */
    GRAPH_WORKERS = 196,   /* who executes it, but for the scheduler */
    GRAPH_BEGUN = 200,     /* how many have ever, with the scheduler */
    GRAPH_PARTICIPANTS = 204,
    GRAPH_FAILED = 208,
    GRAPH_MAILBOXES = 212, /* address of the last one that was made */
    GRAPH_RESTS = 256,     /* the scheduler looks only if it is woken */
    GRAPH_EVENT = 260,     /* changes when it is */
    GRAPH_SERVED = 264,    /* somebody schedules it */
    GRAPH_OWN = 320        /* from here on: what only PEs know of */
};
enum { GRAPH_SELF, GRAPH_PE, GRAPH_HOST, GRAPH_SCHEDULERS };
enum { GRAPH_MOST_STACKS = 16, GRAPH_MOST_LEVELS = 1 << 16, GRAPH_MOST_WORKERS = 2047 };

/* In the variable __mog_channels, which the host finds by its name: address of the first of the graphs that it schedules. */
enum { CHANNELS_HOSTED = 8 };

/* Of a stack, by address in the graph's list. */
enum { CHANNEL_KIND_STACK = 0x4b415453 };
enum { STACK_LEVELS = 12, STACK_WIDTH = 16, STACK_CHANNELS = 20 /* addresses, one for each level */ };

/* A mailbox, in lines of its own. */
enum {
    MAIL_NEXT = 0,
    MAIL_STATE = 4,
    MAIL_LOWEST = 8, /* asks: no batch of a lower level */
    MAIL_WANTS = 12, /* asks: address of the channel in which it waits for room, or 0 */
    MAIL_HEAD = 16,  /* asks: that channel's head, before there was no room */
    MAIL_STACK = 20, /* told: the stack's number */
    MAIL_LEVEL = 24,
    MAIL_AT = 28,
    MAIL_COUNT = 32,
    MAIL_READY = 36, /* told: how many elements were there */
    MAIL_OWN = 40,   /* from here on: what only PEs know of */
    MAIL_BYTES = 64
};
/* Who sleeps asks, too. */
enum { MAIL_NOBODYS, MAIL_WORKS, MAIL_ASKS, MAIL_SLEEPS, MAIL_TOLD, MAIL_LOOK_AGAIN };

static inline int schedule_asks(CHANNEL_MEMORY m, uint32_t mailbox) {
    const uint32_t state = CHANNEL_LOAD(m, mailbox + MAIL_STATE);
    return state == MAIL_ASKS || state == MAIL_SLEEPS;
}
/* The worker only ever changes that it asks to that it sleeps, by a compare-and-swap: the host's store comes before or after it, and who
 * was told does not fall asleep. */
static inline void schedule_tell(CHANNEL_MEMORY m, uint32_t mailbox, uint32_t what) {
    if (CHANNEL_SWAP(m, mailbox + MAIL_STATE, what) == MAIL_SLEEPS) SCHEDULE_WAKE(m, mailbox + MAIL_STATE);
}

/* From a mailbox on the next one that asks, by a worker that waits for room or by one that does not; 0: there is none. */
static inline uint32_t schedule_next(CHANNEL_MEMORY m, uint32_t mailbox, int waits, uint32_t level) {
    for (uint32_t left = GRAPH_MOST_WORKERS; mailbox && left > 0; mailbox = CHANNEL_READ(m, mailbox + MAIL_NEXT), --left)
        if (schedule_asks(m, mailbox) && (CHANNEL_READ(m, mailbox + MAIL_WANTS) != 0) == waits &&
            CHANNEL_READ(m, mailbox + MAIL_LOWEST) <= level)
            return mailbox;
    return 0;
}

/* One batch of a channel, if there is one and somebody who may run it. Workers that do not wait for room come first, so that no more than
 * has to be lies on top of other stacks: they are looked for from *idle on. */
static inline int schedule_batch(CHANNEL_MEMORY m, uint32_t graph, uint32_t number, uint32_t level, int partial, uint32_t *idle) {
    const uint32_t stack = CHANNEL_FIXED(m, graph + GRAPH_STACK_LIST + 4 * number), width = CHANNEL_READ(m, stack + STACK_WIDTH);
    const uint32_t channel = CHANNEL_FIXED(m, stack + STACK_CHANNELS + 4 * level);
    const uint32_t tail = CHANNEL_READ(m, channel + CHANNEL_CONTROL_TAIL), ready = tail - CHANNEL_READ(m, channel + CHANNEL_CONTROL_HEAD);
    uint32_t mailbox, at = 0;
    if (width == 0 || ready == 0 || (!partial && ready < width && !SCHEDULE_MAY(m, number, ready, width))) return 0;
    mailbox = *idle = schedule_next(m, *idle, 0, level);
    if (!mailbox) mailbox = schedule_next(m, CHANNEL_LOAD(m, graph + GRAPH_MAILBOXES), 1, level);
    if (!mailbox) return 0;
    const uint32_t count = channel_claim(m, channel, ready < width ? 1 : width, width, &at);
    if (count == 0) return 0;
    CHANNEL_WRITE(m, mailbox + MAIL_STACK, number);
    CHANNEL_WRITE(m, mailbox + MAIL_LEVEL, level);
    CHANNEL_WRITE(m, mailbox + MAIL_AT, at);
    CHANNEL_WRITE(m, mailbox + MAIL_COUNT, count);
    CHANNEL_WRITE(m, mailbox + MAIL_READY, ready);
    schedule_tell(m, mailbox, MAIL_TOLD);
    return 1;
}

/* All that can be dispatched of full batches, or of any, the deepest first; of one level, stacks that were made last. How many it was. */
static inline uint32_t schedule_batches(CHANNEL_MEMORY m, uint32_t graph, int partial) {
    const uint32_t stacks = CHANNEL_LOAD(m, graph + GRAPH_STACK_COUNT);
    uint32_t deepest = 0, dispatched = 0, idle = CHANNEL_LOAD(m, graph + GRAPH_MAILBOXES);
    for (uint32_t i = 0; i < stacks && i < GRAPH_MOST_STACKS; ++i) {
        const uint32_t levels = CHANNEL_FIXED(m, CHANNEL_FIXED(m, graph + GRAPH_STACK_LIST + 4 * i) + STACK_LEVELS);
        if (levels > deepest && levels <= GRAPH_MOST_LEVELS) deepest = levels;
    }
    for (uint32_t level = deepest; level-- > 0;)
        for (uint32_t i = stacks < GRAPH_MOST_STACKS ? stacks : (uint32_t)GRAPH_MOST_STACKS; i-- > 0;)
            if (level < CHANNEL_FIXED(m, CHANNEL_FIXED(m, graph + GRAPH_STACK_LIST + 4 * i) + STACK_LEVELS))
                while (schedule_batch(m, graph, i, level, partial, &idle)) ++dispatched;
    return dispatched;
}

/* One look at everything: how many workers were told something. */
static inline uint32_t schedule_look(CHANNEL_MEMORY m, uint32_t graph) {
    for (int looks = 0;; ++looks) {
        const int over = CHANNEL_LOAD(m, graph + GRAPH_PENDING) == 0 || CHANNEL_LOAD(m, graph + GRAPH_FAILED) != 0;
        uint32_t asking = 0, told = 0, left = GRAPH_MOST_WORKERS;
        for (uint32_t mailbox = CHANNEL_LOAD(m, graph + GRAPH_MAILBOXES); mailbox && left > 0;
             mailbox = CHANNEL_READ(m, mailbox + MAIL_NEXT), --left) {
            if (!schedule_asks(m, mailbox)) continue;
            const uint32_t wants = CHANNEL_READ(m, mailbox + MAIL_WANTS);
            if (over || (wants && CHANNEL_LOAD(m, wants + CHANNEL_HEAD) != CHANNEL_READ(m, mailbox + MAIL_HEAD))) {
                schedule_tell(m, mailbox, MAIL_LOOK_AGAIN);
                ++told;
            } else {
                ++asking;
            }
        }
        if (over || asking == 0) return told;
        told += schedule_batches(m, graph, 0);
        /* As long as anybody works, a batch may become full. Workers are counted after those who ask: so they are all if both are as many.
         */
        if (told > 0 || asking < CHANNEL_LOAD(m, graph + GRAPH_WORKERS)) return told;
        told = schedule_batches(m, graph, 1);
        if (told > 0 || CHANNEL_LOAD(m, graph + GRAPH_BEGUN) < CHANNEL_LOAD(m, graph + GRAPH_PARTICIPANTS)) return told;
        /* All ask, and nothing is for them: so nothing changes any more. What the last one did before it asked may not have been seen. */
        if (looks > 0) CHANNEL_STORE(m, graph + GRAPH_FAILED, 1);
    }
}

#endif
