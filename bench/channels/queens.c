/* queens.c: placements of n queens by channels: a task is a board with some rows filled. It makes one task for each place in the next row, or counts by itself when
 * `base` rows are left. Arguments: n, base, length of a channel, width, threads (13 4 1024 32 1). */
#include "programs.h"

struct ELEMENT board {
    unsigned columns, left, right; /* taken: columns, and diagonals, as bits of the next row */
};

static mog_stack *boards;
static int n, base;
static MOG_SHARED unsigned solutions;

static unsigned count(unsigned all, unsigned columns, unsigned left, unsigned right) {
    if (columns == all) return 1;
    unsigned sum = 0;
    for (unsigned free = all & ~(columns | left | right); free; free &= free - 1) {
        const unsigned bit = free & -free;
        sum += count(all, columns | bit, (left | bit) << 1, (right | bit) >> 1);
    }
    return sum;
}

static void place(mog_batch *batch) {
    const unsigned all = (1u << n) - 1;
    unsigned found = 0;
    for (uint32_t i = 0; i < batch->count; ++i) {
        const struct board *board = mog_batch_element(batch, i);
        unsigned free = all & ~(board->columns | board->left | board->right);
        if ((int)batch->level >= n - base) {
            found += count(all, board->columns, board->left, board->right);
        } else if (free) {
            const uint32_t children = (uint32_t)__builtin_popcount(free);
            struct board *next = need(mog_graph_talloc(boards, batch->level + 1, children));
            for (uint32_t k = 0; k < children; ++k, free &= free - 1) {
                const unsigned bit = free & -free;
                next[k] = (struct board){board->columns | bit, (board->left | bit) << 1, (board->right | bit) >> 1};
            }
            mog_graph_enq(boards, batch->level + 1, next, children);
        }
    }
    if (found) __atomic_fetch_add(&solutions, found, __ATOMIC_RELAXED);
}

int main(int argc, char **argv) {
    n = number(argc, argv, 1, 13), base = number(argc, argv, 2, 4);
    const int length = number(argc, argv, 3, 1024), width = number(argc, argv, 4, 32), threads = number(argc, argv, 5, 1);
    mog_graph *graph = open_graph("queens", threads);
    boards = need(mog_graph_stack(graph, "boards", "struct board", sizeof(struct board), (uint32_t)length, (uint32_t)n));
    mog_node *node = need(mog_graph_node(graph, "place", place, (uint32_t)width));
    mog_graph_connect(boards, node);
    mog_graph_makes(node, boards);
    if (IPROC == 0) {
        struct board *first = need(mog_graph_talloc(boards, 0, 1));
        *first = (struct board){0, 0, 0};
        mog_graph_enq(boards, 0, first, 1);
    }
    if (execute(graph, threads)) printf("queens(%d) = %u\n", n, solutions);
    return 0;
}
