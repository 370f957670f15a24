/* mog/graph.h: graphs: functions (nodes), and channels between them whose elements they are called for. PEs and threads that execute a graph look for full
 * batches of elements themselves, the deepest first.
 *
 *     void count(mog_batch *batch)                       // a node's function
 *     {
 *         mog_stack *tasks = mog_batch_constant(batch, 0);
 *         for (uint32_t i = 0; i < batch->count; ++i) {
 *             int *task = mog_batch_element(batch, i);
 *             ...
 *             int *more = mog_graph_talloc(tasks, batch->level + 1, 2);
 *             more[0] = ..., more[1] = ...;
 *             mog_graph_enq(tasks, batch->level + 1, more, 2);
 *         }
 *     }
 *
 *     mog_graph *graph = mog_graph_open("fib", 0);       // the same in each PE
 *     mog_stack *tasks = mog_graph_stack(graph, "tasks", "int", sizeof(int), 1024, 30);
 *     mog_node *node = mog_graph_node(graph, "count", count, 32);
 *     mog_node_constant(node, 0, tasks);
 *     mog_graph_connect(tasks, node);
 *     if (IPROC == 0) { ... talloc, enq at level 0 ... }
 *     if (mog_graph_execute(graph) != 0) perror("fib");
 *
 * docs/channels.md says in which order things are done, and why they end.
 */
#ifndef MOG_GRAPH_H
#define MOG_GRAPH_H

#include <mog/channel.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mog_graph mog_graph;
typedef struct mog_stack mog_stack; /* channels of one kind, one for each level; with one level a channel */
typedef struct mog_node mog_node;

enum { MOG_GRAPH_CONSTANTS = 8, MOG_GRAPH_STACKS = 16, MOG_GRAPH_NODES = 16 };

typedef struct mog_batch {
    mog_graph *graph;
    mog_node *node;
    mog_channel *channel;
    uint32_t at, count, level;
    int freed;
} mog_batch;
typedef void mog_kernel(mog_batch *batch);

/* Each PE describes the same graph; its elements and what is known of them are in the window. It ends when `participants` threads (0: as many as
 * there are PEs in this process, which are NPROC without mpirun) have begun to execute it and no element is left. NULL and errno: ENOMEM. */
mog_graph *mog_graph_open(const char *name, uint32_t participants);
/* Who looks for batches: those who execute the graph by themselves (the default); one of them, who does nothing else: the first that begins, of two or more;
 * or the host, between launches and while it serves calls. To be said before it is executed, by each PE the same. The default is another one with `mogrun
 * --graph-scheduler`, or MOG_GRAPH_SCHEDULER: self, pe, host. -1 and errno: EINVAL. */
enum { MOG_GRAPH_SELF, MOG_GRAPH_PE, MOG_GRAPH_HOST };
int mog_graph_scheduler(mog_graph *graph, int scheduler);
/* Workers measure how long they wait for the scheduler: two looks at the clock for each batch. */
void mog_graph_measure(mog_graph *graph);
/* The options of channels of stacks that are made after this. */
void mog_graph_channels(mog_graph *graph, const mog_channel_options *options);
/* `length` elements in each of the levels. Of one level, those stacks come first that were made last. NULL and errno: as mog_channel_open(), ENOSPC. */
mog_stack *mog_graph_stack(mog_graph *graph, const char *name, const char *type, size_t bytes, uint32_t length, uint32_t levels);
/* A function that is called for up to `width` elements. */
mog_node *mog_graph_node(mog_graph *graph, const char *name, mog_kernel *function, uint32_t width);
void mog_node_constant(mog_node *node, int index, void *value);
/* When a batch may be dispatched, though it is not full: the default is never, unless there is nothing else to do. The host cannot call it: a graph that it is
 * to schedule must not have one. */
void mog_node_predicate(mog_node *node, int (*predicate)(uint32_t ready, uint32_t width));
/* Elements of the stack are the node's. And, for the picture: the node makes elements of that stack. */
void mog_graph_connect(mog_stack *stack, mog_node *node);
void mog_graph_makes(mog_node *node, mog_stack *stack);

/* In functions, and before mog_graph_execute(): as mog_channel_talloc() and mog_channel_enq(). Who finds no room in a level deeper than its own does what is
 * ready there meanwhile, on top of its stack. NULL and errno: EINVAL, or EDEADLK if nothing can go on any more. */
void *mog_graph_talloc(mog_stack *stack, uint32_t level, uint32_t count);
void mog_graph_enq(mog_stack *stack, uint32_t level, void *elements, uint32_t count);

void *mog_batch_element(const mog_batch *batch, uint32_t i);
void *mog_batch_constant(const mog_batch *batch, int index);
/* Its elements are not needed any more. Else they are freed when the function is over. */
void mog_batch_free(mog_batch *batch);

/* Works until the graph is done: 0. -1 and EDEADLK if all who execute it wait for room that nobody can make: each tells what it waits for. -1 and EINVAL: the
 * graph's scheduler cannot do it, and a line says why. */
int mog_graph_execute(mog_graph *graph);

/* What was done, of all PEs. */
typedef struct mog_graph_statistics {
    uint32_t elements, batches, full_batches; /* taken out of channels; how many of the batches were of full width */
    uint32_t helps;                           /* batches that were done by somebody who waited for room */
    uint32_t help_bytes;                      /* the most that one of them lay above the other on the stack: what a yield keeps, with 136 bytes of registers */
    uint32_t most_levels;                     /* of helping within helping */
    uint32_t reservations, cas;               /* of all channels, if they are counted (MOG_CHANNEL_COUNTED) */
    uint32_t asked;                           /* how often workers have asked a scheduler that is none of them */
    uint64_t worked_ns, waited_ns;            /* of all workers: in functions, and for that scheduler; if they measure it */
} mog_graph_statistics;
mog_graph_statistics mog_graph_get_statistics(const mog_graph *graph);

/* A picture (SVG): nodes, channels, how many elements went through each, and the most that were there over time. Also written at the end, by one PE, to the file that
 * `mogrun --graph` or the variable MOG_GRAPH names. `mogrun --graph-trace`, MOG_GRAPH_TRACE, writes which batches were done when, and how full stacks were then. 0, or -1
 * and errno. */
int mog_graph_draw(const mog_graph *graph, const char *file);

#ifdef __cplusplus
}
#endif

#endif
