/* graph.c: graphs, and those who execute them: each looks for batches by itself, or asks who does (ask.c). */
#include "graph.h"

#include <mog.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define IN(graph, offset) ((graph)->block + (offset))
enum { COUNT_ELEMENTS, COUNT_BATCHES, COUNT_FULL, COUNT_HELPS, COUNT_HELP_BYTES, COUNT_LEVELS };

static void raise_word(uint32_t place, uint32_t value) {
    for (uint32_t seen; (seen = CHANNEL_READ(0, place)) < value && !CHANNEL_CAS(0, place, seen, value);) {
    }
}

/* ---- described */

struct wish {
    uint32_t participants, scheduler;
};
static int make(void *block, const void *with) {
    const struct wish *wish = with;
    uint32_t *words = block;
    words[GRAPH_PARTICIPANTS / 4] = words[GRAPH_PENDING / 4] = wish->participants;
    words[GRAPH_SCHEDULER / 4] = wish->scheduler;
    return __mog_graph_begin_trace(block);
}
static int make_stack(void *block, const void *levels) {
    ((uint32_t *)block)[STACK_LEVELS / 4] = *(const uint32_t *)levels;
    return 1;
}

/* The usual scheduler; GRAPH_SCHEDULERS: the variable names none. */
static uint32_t scheduler_of_environment(void) {
    static const char *const names[GRAPH_SCHEDULERS] = {"self", "pe", "host"};
    const char *name = getenv("MOG_GRAPH_SCHEDULER");
    uint32_t which = 0;
    if (!name || !*name) return GRAPH_SELF;
    while (which < GRAPH_SCHEDULERS && strcmp(name, names[which]) != 0) ++which;
    if (which == GRAPH_SCHEDULERS) __mog_channel_say("MOG_GRAPH_SCHEDULER is \"%s\", but has to be self, pe or host", name);
    return which;
}

/* PEs that share the window: in a world of several processes the host tells how many each has. */
static uint32_t pes_of_window(void) {
    const char *told = getenv("MOG_PROCESS_PES");
    const unsigned long pes = told ? strtoul(told, NULL, 10) : 0;
    return pes && pes < (unsigned long)NPROC ? pes : (uint32_t)NPROC;
}

mog_graph *mog_graph_open(const char *name, uint32_t participants) {
    const struct wish wish = {participants ? participants : pes_of_window(), scheduler_of_environment()};
    if (wish.scheduler == GRAPH_SCHEDULERS) return errno = EINVAL, NULL;
    mog_graph *graph = calloc(1, sizeof *graph);
    if (!graph) return NULL;
    graph->name = name;
    graph->block = address_of(__mog_find_or_make(name, CHANNEL_KIND_GRAPH, GRAPH_BYTES, make, &wish));
    if (graph->block) return graph;
    free(graph);
    return NULL;
}

int mog_graph_scheduler(mog_graph *graph, int scheduler) {
    if (scheduler < 0 || scheduler >= GRAPH_SCHEDULERS) return errno = EINVAL, -1;
    CHANNEL_STORE(0, IN(graph, GRAPH_SCHEDULER), (uint32_t)scheduler);
    return 0;
}
void mog_graph_measure(mog_graph *graph) { CHANNEL_STORE(0, IN(graph, GRAPH_TIMED), 1); }
void mog_graph_channels(mog_graph *graph, const mog_channel_options *options) { graph->options = *options; }

mog_stack *mog_graph_stack(mog_graph *graph, const char *name, const char *type, size_t bytes, uint32_t length, uint32_t levels) {
    if (graph->stack_count == MOG_GRAPH_STACKS || levels == 0 || levels > GRAPH_MOST_LEVELS) return errno = ENOSPC, NULL;
    mog_stack *stack = &graph->stacks[graph->stack_count];
    *stack = (mog_stack){graph, NULL, name, calloc(levels, sizeof *stack->levels), levels, graph->stack_count, 0, 0};
    if (!stack->levels) return NULL;
    char full[128];
    snprintf(full, sizeof full, "%s/%s", graph->name, name);
    stack->block = address_of(__mog_find_or_make(full, CHANNEL_KIND_STACK, STACK_CHANNELS + 4 * levels, make_stack, &levels));
    if (!stack->block) return NULL;
    if (CHANNEL_FIXED(0, stack->block + STACK_LEVELS) != levels) return errno = EINVAL, NULL;
    for (uint32_t level = 0; level < levels; ++level) {
        snprintf(full, sizeof full, "%s/%s/%lu", graph->name, name, (unsigned long)level);
        if (!(stack->levels[level] = mog_channel_open(full, type, bytes, length, &graph->options))) return NULL;
        CHANNEL_STORE(0, address_of(stack->levels[level]) + CHANNEL_GRAPH, graph->block);
        CHANNEL_STORE(0, stack->block + STACK_CHANNELS + 4 * level, address_of(stack->levels[level]));
    }
    CHANNEL_STORE(0, IN(graph, GRAPH_STACK_LIST + 4 * stack->number), stack->block);
    raise_word(IN(graph, GRAPH_STACK_COUNT), stack->number + 1);
    stack->length = mog_channel_length(stack->levels[0]);
    if (levels > graph->deepest) graph->deepest = levels;
    ++graph->stack_count;
    return stack;
}

mog_node *mog_graph_node(mog_graph *graph, const char *name, mog_kernel *function, uint32_t width) {
    if (graph->node_count == MOG_GRAPH_NODES || width == 0) return errno = ENOSPC, NULL;
    mog_node *node = &graph->nodes[graph->node_count++];
    *node = (mog_node){.name = name, .function = function, .width = width};
    return node;
}
void mog_node_constant(mog_node *node, int index, void *value) { node->constants[index] = value; }
void mog_node_predicate(mog_node *node, int (*predicate)(uint32_t ready, uint32_t width)) { node->predicate = predicate; }
void mog_graph_connect(mog_stack *stack, mog_node *node) {
    stack->node = node;
    CHANNEL_STORE(0, stack->block + STACK_WIDTH, node->width); /* from now on it can be scheduled */
}
void mog_graph_makes(mog_node *node, mog_stack *stack) { node->makes |= 1u << stack->number; }

void *mog_batch_element(const mog_batch *batch, uint32_t i) { return mog_channel_deq(batch->channel, batch->at + i); }
void *mog_batch_constant(const mog_batch *batch, int index) { return batch->node->constants[index]; }
void mog_batch_free(mog_batch *batch) {
    if (!batch->freed) mog_channel_tfree(batch->channel, batch->at, batch->count);
    batch->freed = 1;
}

/* ---- news, and who waits for them */

/* Nothing is told where nobody is idle: who becomes it looks once more after that. So does a scheduler before it rests. */
void __mog_graph_news(uint32_t block) {
    const uint32_t state = block + GRAPH_STATE;
    if (CHANNEL_READ(0, block + GRAPH_SCHEDULER) != GRAPH_SELF) {
        if (CHANNEL_READ(0, block + GRAPH_RESTS) == 0 || CHANNEL_SWAP(0, block + GRAPH_RESTS, 0) == 0) return;
        CHANNEL_ADD(0, block + GRAPH_EVENT, 1);
        __mog_channel_wake(CHANNEL_WORD(block + GRAPH_EVENT)); /* the host looks whenever somebody is to be woken */
        return;
    }
    for (uint32_t seen; (seen = CHANNEL_READ(0, state)) & COUNT_MASK;)
        if (CHANNEL_CAS(0, state, seen, (seen & ~(uint32_t)(NEWS_ONE - 1)) + NEWS_ONE)) {
            __mog_channel_wake(CHANNEL_WORD(state));
            return;
        }
}
static uint32_t news_of(uint32_t state) { return state / NEWS_ONE; }
/* Adds to a count, unless there are news. */
static int count_as(const mog_graph *graph, uint32_t news, uint32_t what, uint32_t *now) {
    for (uint32_t seen; news_of(seen = CHANNEL_LOAD(0, IN(graph, GRAPH_STATE))) == news;)
        if (CHANNEL_CAS(0, IN(graph, GRAPH_STATE), seen, *now = seen + what)) return 1;
    return 0;
}
static int has_failed(const mog_graph *graph) { return CHANNEL_READ(0, IN(graph, GRAPH_FAILED)) != 0; }
static int is_done(const mog_graph *graph) { return CHANNEL_LOAD(0, IN(graph, GRAPH_PENDING)) == 0; }
int __mog_graph_is_over(const mog_graph *graph) { return is_done(graph) || has_failed(graph); }

/* Sleeps until there are news, unless `look` finds what it wants. If all who execute the graph sleep, and have found nothing after they
 * said so, nothing can change. */
static void rest(const mog_graph *graph, int (*look)(void *), void *with) {
    uint32_t now = CHANNEL_LOAD(0, IN(graph, GRAPH_STATE));
    const uint32_t news = news_of(now);
    if (!count_as(graph, news, IDLE_ONE, &now)) return;
    if (is_done(graph) || has_failed(graph) || look(with)) {
        count_as(graph, news, -(uint32_t)IDLE_ONE, &now);
        return;
    }
    if (!count_as(graph, news, ASLEEP_ONE, &now)) return;
    const uint32_t asleep = now >> IDLE_BITS & COUNT_MASK, begun = CHANNEL_LOAD(0, IN(graph, GRAPH_BEGUN));
    if (asleep == CHANNEL_LOAD(0, IN(graph, GRAPH_WORKERS)) && begun >= CHANNEL_LOAD(0, IN(graph, GRAPH_PARTICIPANTS))) {
        CHANNEL_STORE(0, IN(graph, GRAPH_FAILED), 1);
        __mog_graph_news(graph->block);
        return;
    }
    while (news_of(now = CHANNEL_LOAD(0, IN(graph, GRAPH_STATE))) == news) __mog_channel_sleep(CHANNEL_WORD(IN(graph, GRAPH_STATE)), now);
}

/* ---- dispatched */

/* What the thread does at present. */
static _Thread_local struct running {
    mog_batch *batch;
    uintptr_t stack; /* where that began */
    uint32_t helps;  /* within each other */
} running;

static void raise_to(const mog_graph *graph, uint32_t what, uint32_t value) { raise_word(IN(graph, GRAPH_STATISTICS + 4 * what), value); }

static void note(const mog_graph *graph, const mog_stack *stack, uint32_t count, uint32_t ready) {
    const uint32_t batches = CHANNEL_ADD(0, IN(graph, GRAPH_STATISTICS + 4 * COUNT_BATCHES), 1);
    CHANNEL_ADD(0, IN(graph, GRAPH_STATISTICS + 4 * COUNT_ELEMENTS), count);
    if (count == stack->node->width) CHANNEL_ADD(0, IN(graph, GRAPH_STATISTICS + 4 * COUNT_FULL), 1);
    const uint32_t of_stack = IN(graph, GRAPH_STACKS + stack->number * GRAPH_STACK_BYTES);
    CHANNEL_ADD(0, of_stack, count);
    /* Times are numbers of batches, in steps that double: 0, 1, 2-3, 4-7 ... */
    const uint32_t sample = batches ? 32u - (uint32_t)__builtin_clz(batches) : 0,
                   place = of_stack + 4 + 4 * (sample < GRAPH_SAMPLES ? sample : GRAPH_SAMPLES - 1);
    raise_word(place, ready);
}

static uint32_t ready_in(const mog_stack *stack) {
    uint32_t ready = 0;
    for (uint32_t level = 0; level < stack->level_count; ++level) ready += mog_channel_ready(stack->levels[level]);
    return ready;
}

void __mog_graph_run(mog_stack *stack, uint32_t level, uint32_t at, uint32_t count, uint32_t seen) {
    mog_graph *graph = stack->graph;
    note(graph, stack, count, seen);
    const struct running before = running;
    mog_batch batch = {graph, stack->node, stack->levels[level], at, count, level, 0};
    if (before.batch) {
        CHANNEL_ADD(0, IN(graph, GRAPH_STATISTICS + 4 * COUNT_HELPS), 1);
        raise_to(graph, COUNT_HELP_BYTES, (uint32_t)(before.stack - (uintptr_t)__builtin_frame_address(0)));
        raise_to(graph, COUNT_LEVELS, before.helps + 1);
    }
    const uint32_t begin = __mog_graph_now(graph), ready = begin ? ready_in(stack) : 0;
    running = (struct running){&batch, (uintptr_t)__builtin_frame_address(0), before.batch ? before.helps + 1 : 0};
    stack->node->function(&batch);
    running = before;
    if (begin) __mog_graph_trace(stack, level, count, ready, begin);
    mog_batch_free(&batch);
    if (CHANNEL_ADD(0, IN(graph, GRAPH_PENDING), -count) == count) __mog_graph_news(graph->block);
}

/* One batch, if there is one of `lowest` or deeper: the deepest that is full, else the deepest. */
static int run_some(mog_graph *graph, uint32_t lowest) {
    for (int partial = 0; partial < 2; ++partial)
        for (uint32_t level = graph->deepest; level-- > lowest;)
            for (uint32_t i = graph->stack_count; i-- > 0;) {
                mog_stack *stack = &graph->stacks[i];
                if (level >= stack->level_count || !stack->node) continue;
                const uint32_t ready = mog_channel_ready(stack->levels[level]), width = stack->node->width;
                if (ready == 0) continue;
                const int may = partial || ready >= width || (stack->node->predicate && stack->node->predicate(ready, width));
                uint32_t at;
                const uint32_t count =
                    may ? mog_channel_try_take(stack->levels[level], partial || ready < width ? 1 : width, width, &at) : 0;
                if (count == 0) continue;
                __mog_graph_run(stack, level, at, count, ready);
                return 1;
            }
    return 0;
}

static int is_anything_ready(mog_graph *graph, uint32_t lowest) {
    for (uint32_t i = 0; i < graph->stack_count; ++i)
        for (uint32_t level = lowest; level < graph->stacks[i].level_count; ++level)
            if (graph->stacks[i].node && mog_channel_ready(graph->stacks[i].levels[level])) return 1;
    return 0;
}

/* ---- room */

struct want {
    mog_stack *stack;
    uint32_t level, count, lowest;
    void *got;
};
static int look_for_room(void *with) {
    struct want *want = with;
    want->got = mog_channel_try_talloc(want->stack->levels[want->level], want->count);
    return want->got || errno != EAGAIN || is_anything_ready(want->stack->graph, want->lowest);
}

static void tell_wait(const struct want *want) {
    const mog_channel_state state = mog_channel_get_state(want->stack->levels[want->level]);
    const struct mog_batch *batch = running.batch;
    __mog_channel_say(
        "graph \"%s\": nothing can go on: %s%s%s, level %lu, waits for room for %lu in channel \"%s\", level %lu, of %lu elements: %lu "
        "reserved, "
        "%lu ready, %lu dispatched, %lu done",
        want->stack->graph->name, batch ? "node \"" : "who began", batch ? batch->node->name : "", batch ? "\"" : "",
        (unsigned long)(batch ? batch->level : 0), (unsigned long)want->count, want->stack->name, (unsigned long)want->level,
        (unsigned long)state.length, (unsigned long)state.reserved, (unsigned long)state.ready, (unsigned long)state.dispatched,
        (unsigned long)state.done);
}

static uint32_t load_scheduler(const mog_graph *graph) { return CHANNEL_READ(0, IN(graph, GRAPH_SCHEDULER)); }

void *mog_graph_talloc(mog_stack *stack, uint32_t level, uint32_t count) {
    mog_graph *graph = stack->graph;
    if (level >= stack->level_count) return errno = EINVAL, NULL;
    /* A batch of the caller's own level could come to wait here again, and so on. */
    struct want want = {stack, level, count, running.batch ? running.batch->level + 1 : 0, NULL};
    while (!want.got) {
        const uint32_t head = load(stack->levels[level], CHANNEL_HEAD); /* before it is tried: another one is news */
        if ((want.got = mog_channel_try_talloc(stack->levels[level], count)) || errno != EAGAIN) break;
        if (has_failed(graph)) {
            tell_wait(&want);
            return errno = EDEADLK, NULL;
        }
        if (!running.batch) { /* before the graph is executed, others make room */
            sched_yield();
            continue;
        }
        if (load_scheduler(graph) != GRAPH_SELF) __mog_graph_ask(graph, want.lowest, address_of(stack->levels[level]), head);
        else if (!run_some(graph, want.lowest)) rest(graph, look_for_room, &want);
    }
    return want.got;
}

void mog_graph_enq(mog_stack *stack, uint32_t level, void *elements, uint32_t count) {
    CHANNEL_ADD(0, IN(stack->graph, GRAPH_PENDING), count);
    mog_channel_enq(stack->levels[level], elements, count);
}

/* ---- executed */

static int look_for_work(void *graph) { return is_anything_ready(graph, 0); }

static void write_as(const mog_graph *graph, const char *what, const char *file, int (*write)(const mog_graph *, const char *)) {
    if (file && *file && write(graph, file) != 0)
        __mog_channel_say("graph \"%s\": the %s cannot be written to %s: %s", graph->name, what, file, strerror(errno));
}

/* Whether its scheduler can do what is wanted of it. */
static int can_schedule(const mog_graph *graph, uint32_t scheduler) {
    if (scheduler == GRAPH_PE && CHANNEL_LOAD(0, IN(graph, GRAPH_PARTICIPANTS)) < 2) {
        __mog_channel_say("graph \"%s\": one who only schedules needs others who work, but nobody else executes it", graph->name);
        return 0;
    }
    for (uint32_t i = 0; scheduler == GRAPH_HOST && i < graph->node_count; ++i)
        if (graph->nodes[i].predicate) {
            __mog_channel_say("graph \"%s\": node \"%s\" has a predicate, which the host cannot call", graph->name, graph->nodes[i].name);
            return 0;
        }
    return 1;
}

int mog_graph_execute(mog_graph *graph) {
    const uint32_t scheduler = load_scheduler(graph);
    if (!can_schedule(graph, scheduler)) return errno = EINVAL, -1;
    const int serves = scheduler == GRAPH_PE && CHANNEL_SWAP(0, IN(graph, GRAPH_SERVED), 1) == 0;
    if (!serves) CHANNEL_ADD(0, IN(graph, GRAPH_WORKERS), 1);
    if (!serves && scheduler != GRAPH_SELF && !__mog_graph_begin_to_ask(graph)) return -1;
    const uint32_t begun = CHANNEL_ADD(0, IN(graph, GRAPH_BEGUN), 1);
    if (begun < CHANNEL_LOAD(0, IN(graph, GRAPH_PARTICIPANTS)) && CHANNEL_ADD(0, IN(graph, GRAPH_PENDING), -1u) == 1)
        __mog_graph_news(graph->block);
    if (begun >= COUNT_MASK) {
        __mog_channel_say("graph \"%s\": more than %d execute it", graph->name, COUNT_MASK);
        abort();
    }
    if (serves) __mog_graph_serve(graph);
    while (!__mog_graph_is_over(graph))
        if (scheduler != GRAPH_SELF) __mog_graph_ask(graph, 0, 0, 0);
        else if (!run_some(graph, 0)) rest(graph, look_for_work, graph);
    if (CHANNEL_SWAP(0, IN(graph, GRAPH_DRAWN), 1) == 0) {
        write_as(graph, "picture", getenv("MOG_GRAPH"), mog_graph_draw);
        write_as(graph, "trace", getenv("MOG_GRAPH_TRACE"), __mog_graph_write_trace);
    }
    if (!serves && scheduler != GRAPH_SELF) __mog_graph_end_to_ask(graph);
    const int is_last = !serves && CHANNEL_ADD(0, IN(graph, GRAPH_WORKERS), -1u) == 1;
    if (is_last || !has_failed(graph)) __mog_graph_news(graph->block);
    if (!has_failed(graph)) return 0;
    errno = EDEADLK;
    return -1;
}

mog_graph_statistics mog_graph_get_statistics(const mog_graph *graph) {
    uint32_t count[COUNT_LEVELS + 1];
    for (uint32_t i = 0; i <= COUNT_LEVELS; ++i) count[i] = CHANNEL_LOAD(0, IN(graph, GRAPH_STATISTICS + 4 * i));
    mog_graph_statistics all = {count[COUNT_ELEMENTS],
                                count[COUNT_BATCHES],
                                count[COUNT_FULL],
                                count[COUNT_HELPS],
                                count[COUNT_HELP_BYTES],
                                count[COUNT_LEVELS],
                                0,
                                0,
                                0,
                                0,
                                0};
    __mog_graph_asked(graph, &all.worked_ns, &all.waited_ns, &all.asked);
    for (uint32_t i = 0; i < graph->stack_count; ++i)
        for (uint32_t level = 0; level < graph->stacks[i].level_count; ++level) {
            const mog_channel_statistics one = mog_channel_get_statistics(graph->stacks[i].levels[level]);
            all.reservations += one.reservations;
            all.cas += one.cas;
        }
    return all;
}
