/* stuck.c: a graph that needs more than its channel has: each element makes two in the same channel before it is freed. With an argument it is copied and
 * freed first, and each makes one: that ends; "eagerly" the node has a predicate besides. Who waits for what is told, and the graph's end is an error. */
#include <errno.h>
#include <mog.h>
#include <mog/graph.h>
#include <stdio.h>
#include <string.h>

static mog_stack *tasks;
static int frees;
static MOG_SHARED int made;

static void twice(mog_batch *batch) {
    int numbers[4];
    const uint32_t count = batch->count;
    for (uint32_t i = 0; i < count; ++i) numbers[i] = *(int *)mog_batch_element(batch, i);
    if (frees) mog_batch_free(batch);
    for (uint32_t i = 0; i < count; ++i) {
        if (numbers[i] == 0) continue;
        const uint32_t children = frees ? 1 : 2;
        int *next = mog_graph_talloc(tasks, 0, children);
        if (!next) return;
        for (uint32_t k = 0; k < children; ++k) next[k] = numbers[i] - 1;
        mog_graph_enq(tasks, 0, next, children);
        __atomic_fetch_add(&made, (int)children, __ATOMIC_RELAXED);
    }
}

static int any(uint32_t ready, uint32_t width) { return ready > 0 && width > 0; }

int main(int argc, char **argv) {
    frees = argc > 1;
    mog_graph *graph = mog_graph_open("twice", 0);
    tasks = mog_graph_stack(graph, "tasks", "int", sizeof(int), 8, 1);
    mog_node *node = mog_graph_node(graph, "twice", twice, 4);
    if (!tasks || !node) return perror("stuck"), 2;
    mog_graph_connect(tasks, node);
    if (frees && strcmp(argv[1], "eagerly") == 0) mog_node_predicate(node, any);
    if (IPROC == 0) {
        int *first = mog_graph_talloc(tasks, 0, 1);
        *first = 20;
        mog_graph_enq(tasks, 0, first, 1);
        if (mog_channel_open("twice/tasks/0", "long", sizeof(long), 8, NULL) || errno != EINVAL) return 2;
    }
    const int result = mog_graph_execute(graph);
    if (result != 0) return printf("%s\n", strerror(errno)), 1;
    if (IPROC == 0) printf("done, %d made\n", made);
    return 0;
}
