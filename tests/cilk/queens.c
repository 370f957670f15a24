/* Placements of queens on a board, which do not attack each other: a task for each row's choice, down to the last rows. */
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 16 };
static int size, alone;

static unsigned count_alone(unsigned columns, unsigned left, unsigned right) {
    const unsigned all = (1u << size) - 1;
    if (columns == all) return 1;
    unsigned sum = 0;
    for (unsigned free = all & ~(columns | left | right); free; free &= free - 1) {
        const unsigned place = free & -free;
        sum += count_alone(columns | place, (left | place) << 1, (right | place) >> 1);
    }
    return sum;
}

static unsigned count(int row, unsigned columns, unsigned left, unsigned right) {
    if (size - row <= alone) return count_alone(columns, left, right);
    unsigned sums[MOST], sum = 0;
    int places = 0;
    for (unsigned free = ((1u << size) - 1) & ~(columns | left | right); free; free &= free - 1) {
        const unsigned place = free & -free;
        sums[places++] = cilk_spawn count(row + 1, columns | place, (left | place) << 1, (right | place) >> 1);
    }
    cilk_sync;
    for (int i = 0; i < places; ++i) sum += sums[i];
    return sum;
}

int main(int argc, char **argv) {
    size = argc > 1 ? atoi(argv[1]) : 9;
    alone = argc > 2 ? atoi(argv[2]) : 4;
    printf("%d queens: %u\n", size, count(0, 0, 0, 0));
    return 0;
}
