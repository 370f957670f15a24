/* sort.c: numbers sorted by channels: a task is a part of the array, which it quarters; parts of `base` numbers are sorted by insertion. When two quarters are sorted they are
 * merged into the other array, and when both halves are there these back. Arguments: numbers, base, length of a channel, width, threads (1000000 64 1024 8 1). */
#include "programs.h"

struct part {
    unsigned from, count;
    struct merge *parent;
};
struct merge { /* of two neighbours, or at its end of two halves */
    unsigned from, count[4];
    struct merge *parent;
    int waits, halves;
    unsigned level;
};

static mog_stack *parts, *merges;
static MOG_SHARED unsigned *numbers, *others;
static unsigned base;

static void ready(struct merge *merge) {
    if (merge && __atomic_sub_fetch(&merge->waits, 1, __ATOMIC_ACQ_REL) == 0) mog_graph_enq(merges, merge->level, merge, 1);
}

static void split(mog_batch *batch) {
    for (uint32_t i = 0; i < batch->count; ++i) {
        const struct part *part = mog_batch_element(batch, i);
        if (part->count <= base) {
            unsigned *const here = numbers + part->from;
            for (unsigned k = 1; k < part->count; ++k) {
                const unsigned value = here[k];
                unsigned to = k;
                for (; to > 0 && here[to - 1] > value; --to) here[to] = here[to - 1];
                here[to] = value;
            }
            ready(part->parent);
            continue;
        }
        const uint32_t level = batch->level + 1;
        struct merge *merge = need(mog_graph_talloc(merges, level, 1));
        struct part *four = need(mog_graph_talloc(parts, level, 4));
        merge->from = part->from;
        merge->parent = part->parent;
        merge->waits = 4;
        merge->level = level;
        for (unsigned k = 0, from = part->from, left = part->count; k < 4; ++k) {
            const unsigned count = left / (4 - k);
            merge->count[k] = count;
            four[k] = (struct part){from, count, merge};
            from += count;
            left -= count;
        }
        mog_graph_enq(parts, level, four, 4);
    }
}

static void merge_two(unsigned *to, const unsigned *a, unsigned a_count, const unsigned *b, unsigned b_count) {
    while (a_count && b_count)
        if (*b < *a) *to++ = *b++, --b_count;
        else *to++ = *a++, --a_count;
    while (a_count--) *to++ = *a++;
    while (b_count--) *to++ = *b++;
}

static void merge(mog_batch *batch) {
    for (uint32_t i = 0; i < batch->count; ++i) {
        struct merge *m = mog_batch_element(batch, i);
        const unsigned first = m->count[0] + m->count[1], second = m->count[2] + m->count[3];
        unsigned *const here = numbers + m->from, *const there = others + m->from;
        merge_two(there, here, m->count[0], here + m->count[0], m->count[1]);
        merge_two(there + first, here + first, m->count[2], here + first + m->count[2], m->count[3]);
        merge_two(here, there, first, there + first, second);
        ready(m->parent);
    }
}

int main(int argc, char **argv) {
    const unsigned count = (unsigned)number(argc, argv, 1, 1000000);
    base = (unsigned)number(argc, argv, 2, 64);
    const int length = number(argc, argv, 3, 1024), width = number(argc, argv, 4, 8), threads = number(argc, argv, 5, 1);
    uint32_t levels = 2;
    for (unsigned left = count; left > base; left = (left + 3) / 4) ++levels;
    mog_graph *graph = need(mog_graph_open("sort", (uint32_t)(NPROC * threads)));
    parts = need(mog_graph_stack(graph, "parts", "struct part", sizeof(struct part), (uint32_t)length, levels));
    merges = need(mog_graph_stack(graph, "merges", "struct merge", sizeof(struct merge), (uint32_t)length, levels));
    mog_node *node = need(mog_graph_node(graph, "split", split, (uint32_t)width)), *back = need(mog_graph_node(graph, "merge", merge, (uint32_t)width));
    mog_graph_connect(parts, node);
    mog_graph_connect(merges, back);
    mog_graph_makes(node, parts);
    mog_graph_makes(node, merges);
    mog_graph_makes(back, merges);
    if (IPROC == 0) {
        numbers = need(mog_shared_alloc(count * sizeof *numbers));
        others = need(mog_shared_alloc(count * sizeof *others));
        for (unsigned i = 0, random = 1; i < count; ++i) numbers[i] = (random = random * 1664525 + 1013904223) >> 3;
        struct part *first = need(mog_graph_talloc(parts, 0, 1));
        *first = (struct part){0, count, NULL};
        mog_graph_enq(parts, 0, first, 1);
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
