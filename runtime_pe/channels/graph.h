/* graph.h: what is known of a graph: in each PE what it consists of, and in the window what all who execute it share. */
#ifndef MOG_CHANNELS_GRAPH_H
#define MOG_CHANNELS_GRAPH_H

#include <mog/graph.h>

#include "steps.h"

/* Bytes from the beginning of the block in the window, behind those of abi/graph.h. */
enum {
    GRAPH_DRAWN = GRAPH_OWN,
    GRAPH_TRACE = GRAPH_OWN + 4,  /* address of events, if there is a trace */
    GRAPH_TRACED = GRAPH_OWN + 8, /* how many there are, or would be */
    GRAPH_TIMED = GRAPH_OWN + 12, /* workers measure how long they wait for the scheduler */
    GRAPH_EPOCH = GRAPH_OWN + 16, /* when it was opened: seconds, nanoseconds */
    GRAPH_STATISTICS = GRAPH_OWN + 64,
    GRAPH_STACKS = GRAPH_OWN + 128, /* of each: elements taken, and the most that were ready at 32 times */
    GRAPH_SAMPLES = 32,
    GRAPH_STACK_BYTES = 4 * (1 + GRAPH_SAMPLES),
    GRAPH_BYTES = GRAPH_STACKS + MOG_GRAPH_STACKS * GRAPH_STACK_BYTES
};
_Static_assert((int)MOG_GRAPH_STACKS <= (int)GRAPH_MOST_STACKS, "the scheduler's table has room for all");
_Static_assert((int)MOG_GRAPH_SELF == (int)GRAPH_SELF && (int)MOG_GRAPH_PE == (int)GRAPH_PE && (int)MOG_GRAPH_HOST == (int)GRAPH_HOST,
               "as users know them");
/* The state: who looks for work for the last time (idle), who of them has found none (asleep), and a number that news change; they begin
 * both counts anew. */
enum { IDLE_BITS = 11, IDLE_ONE = 1, ASLEEP_ONE = 1 << IDLE_BITS, NEWS_ONE = 1 << 2 * IDLE_BITS, COUNT_MASK = (1 << IDLE_BITS) - 1 };

/* What a batch's function did: of whom, when (in microseconds since the graph was opened), and how many elements of its stack were ready
 * when it began. */
struct traced {
    uint32_t begin, end, pe, thread, stack, level, count, ready;
};
enum { GRAPH_MOST_TRACED = 1 << 16 };

struct mog_node {
    const char *name;
    mog_kernel *function;
    uint32_t width;
    int (*predicate)(uint32_t ready, uint32_t width);
    void *constants[MOG_GRAPH_CONSTANTS];
    uint32_t makes; /* stacks, as bits */
};
struct mog_stack {
    mog_graph *graph;
    mog_node *node;
    const char *name;
    mog_channel **levels;
    uint32_t level_count, number, length;
    uint32_t block; /* its address in the window */
};
struct mog_graph {
    const char *name;
    uint32_t block; /* its address in the window */
    uint32_t stack_count, node_count, deepest;
    mog_channel_options options;
    struct mog_stack stacks[MOG_GRAPH_STACKS];
    struct mog_node nodes[MOG_GRAPH_NODES];
};

/* A batch's function is called, and its elements are freed. */
void __mog_graph_run(mog_stack *stack, uint32_t level, uint32_t at, uint32_t count, uint32_t ready);
int __mog_graph_is_over(const mog_graph *graph);

/* In ask.c: where somebody else schedules. The caller is a worker from now on (0: there is no room for that), or no more. */
int __mog_graph_begin_to_ask(mog_graph *graph);
void __mog_graph_end_to_ask(mog_graph *graph);
/* Waits for a batch of the lowest level or a deeper one, and runs it; or until the caller had better look again: the graph is over, or the
 * channel in which it wants room (or 0) had another head. */
void __mog_graph_ask(mog_graph *graph, uint32_t lowest, uint32_t wants, uint32_t head);
/* The caller schedules until the graph is over and all workers have gone. */
void __mog_graph_serve(mog_graph *graph);
/* How long workers have worked, and waited for the scheduler, if that was measured: in ns. How often they have asked. */
void __mog_graph_asked(const mog_graph *graph, uint64_t *worked, uint64_t *waited, uint32_t *asked);

/* In trace.c. Whoever opens the graph makes room for events if the variable MOG_GRAPH_TRACE is set; without it all of this does nothing. */
int __mog_graph_begin_trace(void *block);
uint32_t __mog_graph_now(const mog_graph *graph); /* 0 without a trace */
void __mog_graph_trace(const mog_stack *stack, uint32_t level, uint32_t count, uint32_t ready, uint32_t begin);
int __mog_graph_write_trace(const mog_graph *graph, const char *file);

#endif
