/* nqueens: in how many ways do N queens stand on an N x N board without attacking each other?
 *
 *     mogrun -n 4096 ./nqueens 12
 *     mogrun -n 4096 ./nqueens 12 | awk '{ sum += $(NF - 1) } END { print sum }'
 *
 * The placements of the first rows are numbered, and PE i searches below those whose number is i modulo the number of
 * PEs. The more PEs there are, the more rows are fixed beforehand. One PE alone prints the number of all solutions.
 */
#include <mog.h>
#include <stdio.h>
#include <stdlib.h>

static int size;          /* of the board */
static unsigned board;    /* a bit for each column */

/* Solutions from the first free row on. Bits of `columns`, `left` and `right` are squares of that row which the queens
 * above attack: straight down and along the two diagonals. */
static unsigned long solutions(unsigned columns, unsigned left, unsigned right) {
    unsigned long count = 0;
    for (unsigned open = board & ~(columns | left | right); open; open &= open - 1) {
        unsigned queen = open & -open;
        if ((columns | queen) == board) return count + 1;
        count += solutions(columns | queen, (left | queen) << 1, (right | queen) >> 1);
    }
    return count;
}

/* Solutions below one numbered placement of the first rows: each digit of the number, in base `size`, is a column. */
static unsigned long solutions_below(unsigned long placement, int rows) {
    unsigned columns = 0, left = 0, right = 0;
    for (int row = 0; row < rows; row++) {
        unsigned queen = 1u << (placement % (unsigned)size);
        placement /= (unsigned)size;
        if (queen & (columns | left | right)) return 0;
        columns |= queen;
        left = (left | queen) << 1;
        right = (right | queen) >> 1;
    }
    return columns == board ? 1 : solutions(columns, left, right);
}

int main(int argc, char **argv) {
    size = argc > 1 ? atoi(argv[1]) : 8;
    if (size < 1 || size > 20) {
        if (mog_rank() == 0) fprintf(stderr, "usage: nqueens [SIZE], with a size from 1 to 20\n");
        return 2;
    }
    board = (1u << size) - 1;

    /* Several placements for each PE, so that good and bad luck even out; never more rows than there are. */
    int rows = 0;
    unsigned long placements = 1;
    while (rows < size && placements < 4ul * (unsigned)mog_size()) {
        placements *= (unsigned)size;
        rows++;
    }

    unsigned long count = 0;
    for (unsigned long p = (unsigned)mog_rank(); p < placements; p += (unsigned)mog_size()) count += solutions_below(p, rows);

    if (mog_size() == 1) printf("%d queens: %lu solutions\n", size, count);
    else if (count) printf("PE %d: %lu solutions\n", mog_rank(), count);
    return 0;
}
