/* Sudoku by backtracking over bit masks. */
#include <stdio.h>

static int cell[81], row[9], column[9], box[9], tries;
static int solve(void) {
    int best = -1, fewest = 10, choices = 0;
    for (int i = 0; i < 81; i++) if (!cell[i]) {
        int free = ~(row[i / 9] | column[i % 9] | box[i / 27 * 3 + i % 9 / 3]) & 0x3fe, n = __builtin_popcount(free);
        if (n < fewest) fewest = n, best = i, choices = free;
    }
    if (best < 0) return 1;
    int b = best / 27 * 3 + best % 9 / 3;
    for (; choices; choices &= choices - 1) {
        int bit = choices & -choices;
        tries++;
        cell[best] = __builtin_ctz(bit), row[best / 9] |= bit, column[best % 9] |= bit, box[b] |= bit;
        if (solve()) return 1;
        cell[best] = 0, row[best / 9] ^= bit, column[best % 9] ^= bit, box[b] ^= bit;
    }
    return 0;
}

int main(void) {
    const char *p = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    for (int i = 0; i < 81; i++) if (p[i] != '.') {
        int bit = 1 << (cell[i] = p[i] - '0');
        row[i / 9] |= bit, column[i % 9] |= bit, box[i / 27 * 3 + i % 9 / 3] |= bit;
    }
    int solved = solve();
    for (int i = 0; i < 81; i++) putchar('0' + cell[i]);
    printf(" %d %d\n", solved, tries);
    return 0;
}
