/* sudoku: solves puzzles by backtracking, always at the square with the fewest possibilities.
 *
 *     ./sudoku                                      solves the puzzles below
 *     mogrun -n 4 ./sudoku                          shares them out over four PEs
 *     ./sudoku 530070000600195000098000060800060003400803001700020006060000280000419005000080079
 *
 * A puzzle is 81 figures row by row, 0 or a dot for an empty square.
 */
#include <mog.h>
#include <stdio.h>
#include <string.h>

static const char *const puzzles[] = {
    "530070000600195000098000060800060003400803001700020006060000280000419005000080079",
    "000000010400000000020000000000050407008000300001090000300400200050100000000806000",
    "100007090030020008009600500005300900010080002600004000300000010040000007007000300",
    "200080300060070084030500209000105408000000000402706000301007040720040060004010003",
    "000000907000420180000705026100904000050000040000507009920108000034059000507000000",
    "030050040008010500460000012070502080000603000040109030250000098001020600080060020",
    "550000000000000000000000000000000000000000000000000000000000000000000000000000000",
};

typedef struct {
    char square[81];                      /* 0 while empty */
    unsigned short row[9], column[9], box[9]; /* bit d: figure d is taken */
    long guesses;
} Board;

static int box_of(int s) { return s / 27 * 3 + s % 9 / 3; }

static void put(Board *b, int s, int figure) {
    unsigned short bit = (unsigned short)(1u << figure);
    b->square[s] = (char)figure;
    b->row[s / 9] |= bit;
    b->column[s % 9] |= bit;
    b->box[box_of(s)] |= bit;
}

static unsigned taken(const Board *b, int s) { return b->row[s / 9] | b->column[s % 9] | b->box[box_of(s)]; }

/* 1 if the text is a puzzle: 81 squares, no figure twice in a row, column or box. */
static int read_board(Board *b, const char *text) {
    memset(b, 0, sizeof *b);
    if (strlen(text) != 81) return 0;
    for (int s = 0; s < 81; s++) {
        if (text[s] == '.' || text[s] == '0') continue;
        if (text[s] < '1' || text[s] > '9' || taken(b, s) >> (text[s] - '0') & 1) return 0;
        put(b, s, text[s] - '0');
    }
    return 1;
}

static int solve(Board *b) {
    int best = -1, fewest = 10;
    for (int s = 0; s < 81 && fewest > 1; s++) {
        if (b->square[s]) continue;
        int open = 9 - __builtin_popcount(taken(b, s));
        if (open < fewest) {
            fewest = open;
            best = s;
        }
    }
    if (best < 0) return 1; /* nothing is empty */
    for (int figure = 1; figure <= 9; figure++) {
        if (taken(b, best) >> figure & 1) continue;
        Board next = *b; /* backtracking is forgetting the copy */
        put(&next, best, figure);
        next.guesses++;
        int solved = solve(&next);
        b->guesses = next.guesses;
        if (solved) {
            *b = next;
            return 1;
        }
    }
    return 0;
}

static void print_solution(const char *name, const char *text) {
    Board b;
    if (!read_board(&b, text)) {
        printf("%s: no puzzle\n", name);
        return;
    }
    if (!solve(&b)) {
        printf("%s: no solution, after %ld guesses\n", name, b.guesses);
        return;
    }
    printf("%s, %ld guesses:\n", name, b.guesses);
    for (int s = 0; s < 81; s++) printf("%d%s", b.square[s], s % 9 == 8 ? "\n" : s % 3 == 2 ? "  " : " ");
}

int main(int argc, char **argv) {
    int count = argc > 1 ? argc - 1 : (int)(sizeof puzzles / sizeof *puzzles);
    for (int i = mog_rank(); i < count; i += mog_size()) {
        char name[30];
        snprintf(name, sizeof name, "puzzle %d", i + 1);
        print_solution(name, argc > 1 ? argv[i + 1] : puzzles[i]);
    }
    return 0;
}
