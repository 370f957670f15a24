/* sudoku: how many ways are there to fill a square of 9 x 9? What a figure leaves of the search may be nothing or all of it, and which is not
 * known before: so each figure that is tried is a spawn, and workers that have nothing left to do take figures from those who have.
 *
 *   sudoku [PUZZLE]         81 figures row by row, 0 or a dot for an empty place
 *   sudoku PUZZLE I N       of the ways to fill the first two places those whose number is I modulo N: as it is done without sharing, by N
 *                           programs of which each has its part
 *
 * Any compiler of C compiles it, too, without Cilk, if it finds the headers in cilk/ (docs/cilk.md).
 */
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Figures are bits: which a row, a column and a block of three by three have; and which places are filled. */
struct square {
    unsigned short rows[9], columns[9], blocks[9];
    unsigned char filled[81];
};

static void zero(void *view) { *(unsigned long *)view = 0; }
static void plus(void *left, void *right) { *(unsigned long *)left += *(unsigned long *)right; }
static unsigned long cilk_reducer(zero, plus) solutions = 0;
static unsigned long cilk_reducer(zero, plus) tried = 0;
static unsigned long part, parts = 1;

static unsigned possible(const struct square *square, int place) {
    const int row = place / 9, column = place % 9;
    return 0x1ffu & ~(square->rows[row] | square->columns[column] | square->blocks[row / 3 * 3 + column / 3]);
}

static void put(struct square *square, int place, unsigned figure) {
    const int row = place / 9, column = place % 9;
    square->rows[row] |= figure;
    square->columns[column] |= figure;
    square->blocks[row / 3 * 3 + column / 3] |= figure;
    square->filled[place] = 1;
}

/* Goes on at the place with the fewest possibilities. `number`: of this way among those of the first two places. */
static void search(struct square square, int depth, unsigned long number) {
    int best = -1, fewest = 10;
    for (int place = 0; place < 81 && fewest > 1; ++place) {
        if (square.filled[place]) continue;
        const int count = __builtin_popcount(possible(&square, place));
        if (count < fewest) best = place, fewest = count;
    }
    ++tried;
    if (best < 0) {
        ++solutions;
        return;
    }
    for (unsigned figures = possible(&square, best); figures; figures &= figures - 1) {
        struct square next = square;
        put(&next, best, figures & -figures);
        const unsigned long next_number = depth < 2 ? number * 9 + __builtin_ctz(figures) : number;
        if (depth == 1 && next_number % parts != part) continue;
        cilk_spawn search(next, depth + 1, next_number);
    }
}

int main(int argc, char **argv) {
    const char *puzzle = argc > 1 ? argv[1] : "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9.......";
    if (argc > 3) part = strtoul(argv[2], NULL, 10), parts = strtoul(argv[3], NULL, 10);
    struct square square = {0};
    if (strlen(puzzle) != 81 || parts == 0) {
        fprintf(stderr, "sudoku: a puzzle is 81 figures, 0 or a dot for an empty place\n");
        return 2;
    }
    for (int place = 0; place < 81; ++place) {
        const int figure = puzzle[place] >= '1' && puzzle[place] <= '9' ? puzzle[place] - '0' : 0;
        if (figure && !(possible(&square, place) & 1u << (figure - 1))) {
            fprintf(stderr, "sudoku: %d is twice in a row, a column or a block\n", figure);
            return 1;
        }
        if (figure) put(&square, place, 1u << (figure - 1));
    }
    search(square, 0, 0);
    printf("%lu solutions, %lu positions\n", solutions, tried);
    return 0;
}
