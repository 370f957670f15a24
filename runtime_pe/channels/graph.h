/* graph.h: what is known of a graph: in each PE what it consists of, and in the window what all who execute it share. */
#ifndef MOG_CHANNELS_GRAPH_H
#define MOG_CHANNELS_GRAPH_H

#include <mog/graph.h>

#include "steps.h"

/* Bytes from the beginning of the block in the window, whose first words are a channel's. */
enum {
    GRAPH_PENDING = 64,  /* elements that are published and whose function is not over; and who is to execute and has not begun */
    GRAPH_STATE = 128,   /* below */
    GRAPH_WORKERS = 132, /* who executes it */
    GRAPH_BEGUN = 136,   /* how many have ever */
    GRAPH_PARTICIPANTS = 140,
    GRAPH_FAILED = 144,
    GRAPH_DRAWN = 148,
    GRAPH_TRACE = 152,  /* address of events, if there is a trace */
    GRAPH_TRACED = 156, /* how many there are, or would be */
    GRAPH_EPOCH = 160,  /* when it was opened: seconds, nanoseconds */
    GRAPH_STATISTICS = 192,
    GRAPH_STACKS = 256, /* of each: elements taken, and the most that were ready at 32 times */
    GRAPH_SAMPLES = 32,
    GRAPH_STACK_BYTES = 4 * (1 + GRAPH_SAMPLES),
    GRAPH_BYTES = GRAPH_STACKS + MOG_GRAPH_STACKS * GRAPH_STACK_BYTES
};
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
};
struct mog_graph {
    const char *name;
    uint32_t block; /* its address in the window */
    uint32_t stack_count, node_count, deepest;
    mog_channel_options options;
    struct mog_stack stacks[MOG_GRAPH_STACKS];
    struct mog_node nodes[MOG_GRAPH_NODES];
};

/* In trace.c. Whoever opens the graph makes room for events if the variable MOG_GRAPH_TRACE is set; without it all of this does nothing. */
int __mog_graph_begin_trace(void *block);
uint32_t __mog_graph_now(const mog_graph *graph); /* 0 without a trace */
void __mog_graph_trace(const mog_stack *stack, uint32_t level, uint32_t count, uint32_t ready, uint32_t begin);
int __mog_graph_write_trace(const mog_graph *graph, const char *file);

#endif
