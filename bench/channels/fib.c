/* fib.c: Fibonacci's numbers by channels, as a program with spawn and sync would be by hand: a task that is not small makes two tasks a level deeper, and a
 * continuation, which stays reserved until both have given it their results. Arguments: n, length of a channel, width, threads of each PE (24 1024 32 1). */
#include "programs.h"

struct ELEMENT task {
    int n;
    struct join *parent;
    int which;
};
struct ELEMENT join {
    struct join *parent;
    int which, waits, level;
    int result[2];
};

static mog_stack *tasks, *joins;
static MOG_SHARED int result;

static void give(struct join *parent, int which, int value) {
    if (!parent) {
        result = value;
        return;
    }
    parent->result[which] = value;
    if (__atomic_sub_fetch(&parent->waits, 1, __ATOMIC_ACQ_REL) == 0) mog_graph_enq(joins, (uint32_t)parent->level, parent, 1);
}

static void fib(mog_batch *batch) {
    for (uint32_t i = 0; i < batch->count; ++i) {
        const struct task *task = mog_batch_element(batch, i);
        if (task->n <= 2) {
            give(task->parent, task->which, 1);
            continue;
        }
        struct join *join = need(mog_graph_talloc(joins, batch->level + 1, 1));
        *join = (struct join){task->parent, task->which, 2, (int)batch->level + 1, {0, 0}};
        struct task *two = need(mog_graph_talloc(tasks, batch->level + 1, 2));
        two[0] = (struct task){task->n - 1, join, 0};
        two[1] = (struct task){task->n - 2, join, 1};
        mog_graph_enq(tasks, batch->level + 1, two, 2);
    }
}

static void add(mog_batch *batch) {
    for (uint32_t i = 0; i < batch->count; ++i) {
        const struct join *join = mog_batch_element(batch, i);
        give(join->parent, join->which, join->result[0] + join->result[1]);
    }
}

int main(int argc, char **argv) {
    const int n = number(argc, argv, 1, 24), length = number(argc, argv, 2, 1024), width = number(argc, argv, 3, 32), threads = number(argc, argv, 4, 1);
    mog_graph *graph = open_graph("fib", threads);
    tasks = need(mog_graph_stack(graph, "tasks", "struct task", sizeof(struct task), (uint32_t)length, (uint32_t)n + 1));
    joins = need(mog_graph_stack(graph, "joins", "struct join", sizeof(struct join), (uint32_t)length, (uint32_t)n + 1));
    mog_node *spawn = need(mog_graph_node(graph, "fib", fib, (uint32_t)width)), *sum = need(mog_graph_node(graph, "add", add, (uint32_t)width));
    mog_graph_connect(tasks, spawn);
    mog_graph_connect(joins, sum);
    mog_graph_makes(spawn, tasks);
    mog_graph_makes(spawn, joins);
    mog_graph_makes(sum, joins);
    if (IPROC == 0) {
        struct task *first = need(mog_graph_talloc(tasks, 0, 1));
        *first = (struct task){n, NULL, 0};
        mog_graph_enq(tasks, 0, first, 1);
    }
    if (execute(graph, threads)) printf("fib(%d) = %d\n", n, result);
    return 0;
}
