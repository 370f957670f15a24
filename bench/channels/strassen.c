/* strassen.c: a product of matrices after Strassen, by channels, with one node: a task is a way through the recursion, one of seven products in each level. At the end of
 * it the task adds up the blocks of `base` that its two factors are sums of, multiplies them, and adds the product to the blocks of the result that it is
 * part of, atomically. Arguments: size, base, length of a channel, width, threads (512 16 1024 32 1). */
#include <string.h>

#include "programs.h"

enum { DEEPEST = 8, MOST = 32 };
struct ELEMENT path {
    unsigned char product[DEEPEST];
};
/* Of product i: signs of the quarters 11, 12, 21, 22 in its factors, and its own in those of the result. */
static const signed char left[7][4] = {{1, 0, 0, 1}, {0, 0, 1, 1}, {1, 0, 0, 0}, {0, 0, 0, 1}, {1, 1, 0, 0}, {-1, 0, 1, 0}, {0, 1, 0, -1}};
static const signed char right[7][4] = {{1, 0, 0, 1}, {1, 0, 0, 0}, {0, 1, 0, -1}, {-1, 0, 1, 0}, {0, 0, 0, 1}, {1, 1, 0, 0}, {0, 0, 1, 1}};
static const signed char whole[7][4] = {{1, 0, 0, 1}, {0, 0, 1, -1}, {0, 1, 0, 1}, {1, 0, 1, 0}, {-1, 1, 0, 0}, {0, 0, 0, 1}, {1, 0, 0, 0}};

static mog_stack *paths;
static int size, base, depth;
static MOG_SHARED int *a, *b, *c;

/* All blocks that a path reaches, with their signs. */
static void each(const signed char signs[7][4], const struct path *path, int level, int row, int column, int sign,
                 void (*what)(int *block, int sign, int *with), int *matrix, int *with) {
    if (level == depth) {
        what(matrix + row * base * size + column * base, sign, with);
        return;
    }
    for (int quarter = 0; quarter < 4; ++quarter)
        if (signs[path->product[level]][quarter])
            each(signs, path, level + 1, row * 2 + quarter / 2, column * 2 + quarter % 2, sign * signs[path->product[level]][quarter], what, matrix, with);
}
static void gather(int *block, int sign, int *to) {
    for (int i = 0; i < base; ++i)
        for (int k = 0; k < base; ++k) to[i * base + k] += sign * block[i * size + k];
}
static void scatter(int *block, int sign, int *from) {
    for (int i = 0; i < base; ++i)
        for (int k = 0; k < base; ++k) __atomic_fetch_add(&block[i * size + k], sign * from[i * base + k], __ATOMIC_RELAXED);
}

static void multiply(mog_batch *batch) {
    int x[MOST * MOST], y[MOST * MOST], z[MOST * MOST];
    for (uint32_t i = 0; i < batch->count; ++i) {
        const struct path *path = mog_batch_element(batch, i);
        if ((int)batch->level < depth) {
            struct path *next = need(mog_graph_talloc(paths, batch->level + 1, 7));
            for (int product = 0; product < 7; ++product) {
                next[product] = *path;
                next[product].product[batch->level] = (unsigned char)product;
            }
            mog_graph_enq(paths, batch->level + 1, next, 7);
            continue;
        }
        memset(x, 0, sizeof x);
        memset(y, 0, sizeof y);
        each(left, path, 0, 0, 0, 1, gather, a, x);
        each(right, path, 0, 0, 0, 1, gather, b, y);
        for (int row = 0; row < base; ++row)
            for (int column = 0; column < base; ++column) {
                int sum = 0;
                for (int k = 0; k < base; ++k) sum += x[row * base + k] * y[k * base + column];
                z[row * base + column] = sum;
            }
        each(whole, path, 0, 0, 0, 1, scatter, c, z);
    }
}

static int element(int which, int row, int column) { return (row * 7 + column * (3 + which) + row * column) % 19 - 9; }

int main(int argc, char **argv) {
    size = number(argc, argv, 1, 512), base = number(argc, argv, 2, 16);
    const int length = number(argc, argv, 3, 1024), width = number(argc, argv, 4, 32), threads = number(argc, argv, 5, 1);
    while (base << depth < size) ++depth;
    if (base > MOST || depth > DEEPEST || base << depth != size) return fprintf(stderr, "strassen: the size is no power of two times the base\n"), 2;
    mog_graph *graph = open_graph("strassen", threads);
    paths = need(mog_graph_stack(graph, "paths", "struct path", sizeof(struct path), (uint32_t)length, (uint32_t)depth + 1));
    mog_node *node = need(mog_graph_node(graph, "multiply", multiply, (uint32_t)width));
    mog_graph_connect(paths, node);
    mog_graph_makes(node, paths);
    if (IPROC == 0) {
        const size_t bytes = (size_t)size * (size_t)size * sizeof(int);
        a = need(mog_shared_alloc(bytes)), b = need(mog_shared_alloc(bytes)), c = need(mog_shared_alloc(bytes));
        for (int i = 0; i < size * size; ++i) a[i] = element(0, i / size, i % size), b[i] = element(1, i / size, i % size);
        struct path *first = need(mog_graph_talloc(paths, 0, 1));
        memset(first, 0, sizeof *first);
        mog_graph_enq(paths, 0, first, 1);
    }
    if (!execute(graph, threads)) return 0;
    /* Some rows by the definition. */
    int wrong = 0;
    for (int row = 0; row < size; row += size / 8)
        for (int column = 0; column < size; ++column) {
            int sum = 0;
            for (int k = 0; k < size; ++k) sum += a[row * size + k] * b[k * size + column];
            wrong += sum != c[row * size + column];
        }
    printf("strassen(%d): %s\n", size, wrong ? "WRONG" : "right");
    return wrong != 0;
}
