// lambdas.cpp: a graph of <mog/graph.hpp>: Fibonacci's numbers, with nodes that are lambdas; and stacks that have other elements than they
// are asked for.
#include <mog.h>
#include <mog/graph.hpp>

#include <cerrno>
#include <cstdio>

namespace {

struct join {
    join *parent;
    int which, waits, level, results[2];
};
struct task {
    int n;
    join *parent;
    int which;
};

MOG_SHARED int result, over;

}  // namespace

int main() {
    enum { levels = 16, n = 15 };
    mog::graph graph("fib");
    mog::stack<task> tasks(graph, "tasks", 8, levels);
    mog::stack<join> joins(graph, "joins", 8, levels);
    if (!tasks || !joins) return std::perror("fib"), 1;
    unsigned batches = 0;
    const auto give = [&](join *parent, int which, int value) {
        if (!parent) {
            result = value;
            return;
        }
        parent->results[which] = value;
        if (__atomic_sub_fetch(&parent->waits, 1, __ATOMIC_ACQ_REL) == 0) joins.enq(parent->level, parent);
    };
    auto spawn = graph.node("fib", 4, tasks, [&](mog::batch<task> batch) {
        ++batches;
        const int below = batch.level() + 1;
        for (const task &one : batch) {
            if (one.n < 2) {
                give(one.parent, one.which, one.n);
                continue;
            }
            join *const both = joins.talloc(below);
            *both = {one.parent, one.which, 2, below, {}};
            task *const two = tasks.talloc(below, 2);
            two[0] = {one.n - 1, both, 0};
            two[1] = {one.n - 2, both, 1};
            tasks.enq(below, two, 2);
        }
    });
    auto sum = graph.node("add", 4, joins, [&](mog::batch<join> batch) {
        ++batches;
        for (const join &one : batch) give(one.parent, one.which, one.results[0] + one.results[1]);
    });
    spawn.makes(tasks, joins);
    sum.makes(joins);
    if (!spawn || !sum || graph.node("more", 0, tasks, [](mog::batch<task>) {})) return 1;
    if (IPROC == 0 && !tasks.put(0, {n, nullptr, 0})) return 1;
    if (!graph.execute()) return std::perror("fib"), 1;
    if (__atomic_add_fetch(&over, 1, __ATOMIC_ACQ_REL) != NPROC) return 0;
    const mog_graph_statistics all = graph.statistics();
    if (NPROC == 1 && all.batches != batches) return 1;
    std::printf("fib(%d) = %d, %u elements\n", n, result, static_cast<unsigned>(all.elements));
    mog::channel<float> first("weights", 4);
    const mog::channel<int> other("weights", 4);  // as large, but of another type: which is told
    return other || errno != EINVAL;
}
