/* sort.c: numbers sorted by channels, with four nodes: `split` quarters a part of the array, down to parts of `base` numbers, which `small` sorts by insertion. When two
 * neighbours are sorted, `merge` merges them into the other array, and when both halves are there, `join` these back. Arguments: numbers, base, length of a
 * channel, width, threads (1000000 64 1024 8 1). */
#include "programs.h"

struct merge;
struct ELEMENT part {
    unsigned from, count;
    struct merge *parent;
};
struct ELEMENT merge { /* of two neighbours, which are in one piece */
    unsigned from, count[2];
    struct merge *parent;
    int waits;
    unsigned level;
    mog_stack *stack;
};

static mog_stack *parts, *leaves, *merges, *joins;
static MOG_SHARED unsigned *numbers, *others;
static unsigned base;

static void ready(struct merge *merge) {
    if (merge && __atomic_sub_fetch(&merge->waits, 1, __ATOMIC_ACQ_REL) == 0) mog_graph_enq(merge->stack, merge->level, merge, 1);
}

static void split(mog_batch *batch) {
    for (uint32_t i = 0; i < batch->count; ++i) {
        const struct part *part = mog_batch_element(batch, i);
        const uint32_t level = batch->level + 1;
        const int is_last = (part->count + 3) / 4 <= base;
        struct merge *join = need(mog_graph_talloc(joins, level, 1)), *two = need(mog_graph_talloc(merges, level, 2));
        struct part *four = need(mog_graph_talloc(is_last ? leaves : parts, level, 4));
        unsigned from = part->from, left = part->count;
        *join = (struct merge){from, {0, 0}, part->parent, 2, level, joins};
        for (unsigned k = 0; k < 4; ++k) {
            const unsigned count = left / (4 - k), half = k / 2;
            if (k % 2 == 0) two[half] = (struct merge){from, {count, 0}, join, 2, level, merges};
            else two[half].count[1] = count;
            join->count[half] += count;
            four[k] = (struct part){from, count, &two[half]};
            from += count;
            left -= count;
        }
        mog_graph_enq(is_last ? leaves : parts, level, four, 4);
    }
}

static void small(mog_batch *batch) {
    for (uint32_t i = 0; i < batch->count; ++i) {
        const struct part *part = mog_batch_element(batch, i);
        unsigned *const here = numbers + part->from;
        for (unsigned k = 1; k < part->count; ++k) {
            const unsigned value = here[k];
            unsigned to = k;
            for (; to > 0 && here[to - 1] > value; --to) here[to] = here[to - 1];
            here[to] = value;
        }
        ready(part->parent);
    }
}

static void merge_two(const struct merge *merge, unsigned *to, const unsigned *a) {
    unsigned a_count = merge->count[0], b_count = merge->count[1];
    const unsigned *b = a + a_count;
    while (a_count && b_count)
        if (*b < *a) *to++ = *b++, --b_count;
        else *to++ = *a++, --a_count;
    while (a_count--) *to++ = *a++;
    while (b_count--) *to++ = *b++;
    ready(merge->parent);
}
static void merge(mog_batch *batch) {
    for (uint32_t i = 0; i < batch->count; ++i) {
        const struct merge *one = mog_batch_element(batch, i);
        merge_two(one, others + one->from, numbers + one->from);
    }
}
static void join(mog_batch *batch) {
    for (uint32_t i = 0; i < batch->count; ++i) {
        const struct merge *one = mog_batch_element(batch, i);
        merge_two(one, numbers + one->from, others + one->from);
    }
}

static mog_node *node_of(mog_graph *graph, mog_stack **stack, const char *name, size_t bytes, int length, uint32_t levels, mog_kernel *function, int width) {
    mog_node *node = need(mog_graph_node(graph, name, function, (uint32_t)width));
    *stack = need(mog_graph_stack(graph, name, name, bytes, (uint32_t)length, levels));
    mog_graph_connect(*stack, node);
    return node;
}

int main(int argc, char **argv) {
    const unsigned count = (unsigned)number(argc, argv, 1, 1000000);
    base = (unsigned)number(argc, argv, 2, 64);
    const int length = number(argc, argv, 3, 1024), width = number(argc, argv, 4, 8), threads = number(argc, argv, 5, 1);
    uint32_t levels = 2;
    for (unsigned left = count; left > base; left = (left + 3) / 4) ++levels;
    mog_graph *graph = open_graph("sort", threads);
    mog_node *splits = node_of(graph, &parts, "split", sizeof(struct part), length, levels, split, width);
    mog_node *sorts = node_of(graph, &leaves, "small", sizeof(struct part), length, levels, small, width);
    mog_node *quarters = node_of(graph, &merges, "merge", sizeof(struct merge), length, levels, merge, width);
    mog_node *halves = node_of(graph, &joins, "join", sizeof(struct merge), length, levels, join, width);
    mog_graph_makes(splits, parts);
    mog_graph_makes(splits, leaves);
    mog_graph_makes(splits, merges);
    mog_graph_makes(splits, joins);
    mog_graph_makes(sorts, merges);
    mog_graph_makes(quarters, joins);
    mog_graph_makes(halves, merges);
    if (IPROC == 0) {
        numbers = need(mog_shared_alloc(count * sizeof *numbers));
        others = need(mog_shared_alloc(count * sizeof *others));
        for (unsigned i = 0, random = 1; i < count; ++i) numbers[i] = (random = random * 1664525 + 1013904223) >> 3;
        mog_stack *const begin = count <= base ? leaves : parts;
        struct part *first = need(mog_graph_talloc(begin, 0, 1));
        *first = (struct part){0, count, NULL};
        mog_graph_enq(begin, 0, first, 1);
    }
    if (execute(graph, threads)) {
        unsigned wrong = 0, sum = 0, expected = 0;
        for (unsigned i = 0, random = 1; i < count; ++i) {
            wrong += i > 0 && numbers[i] < numbers[i - 1];
            sum += numbers[i] * numbers[i];
            random = random * 1664525 + 1013904223;
            expected += (random >> 3) * (random >> 3);
        }
        printf("sort(%u): %s\n", count, wrong || sum != expected ? "WRONG" : "sorted");
        return wrong || sum != expected;
    }
    return 0;
}
