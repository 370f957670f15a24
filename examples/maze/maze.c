/* maze: every PE digs a maze of its own, finds the way through it by recursion and prints it.
 *
 *     mogrun -n 1000 ./maze              a line for each maze
 *     mogrun -n 1 ./maze 31 15           one maze, drawn: width, height
 *     mogrun -n 1 ./maze 31 15 7         the maze that PE 7 would dig
 */
#include <mog.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDEST = 79, HIGHEST = 61 };
static char square[HIGHEST][WIDEST + 1]; /* '#' wall, ' ' floor, '.' the way */
static int width = 31, height = 15;
static int deepest, visited;

static unsigned random_state;
static unsigned next_random(unsigned below) {
    random_state = random_state * 1664525u + 1013904223u;
    return (unsigned)((unsigned long long)(random_state ^ random_state >> 15) * below >> 32);
}

static const int step_x[4] = {1, 0, -1, 0}, step_y[4] = {0, 1, 0, -1};

/* Digs on from (x, y) in all directions, in random order, wherever two squares further is still rock. */
static void dig(int x, int y, int depth) {
    square[y][x] = ' ';
    if (depth > deepest) deepest = depth;
    int order[4] = {0, 1, 2, 3};
    for (int i = 3; i > 0; i--) {
        int j = (int)next_random((unsigned)i + 1), kept = order[i];
        order[i] = order[j];
        order[j] = kept;
    }
    for (int i = 0; i < 4; i++) {
        int dx = step_x[order[i]], dy = step_y[order[i]], next_x = x + 2 * dx, next_y = y + 2 * dy;
        if (next_x < 0 || next_y < 0 || next_x >= width || next_y >= height || square[next_y][next_x] != '#') continue;
        square[y + dy][x + dx] = ' ';
        dig(next_x, next_y, depth + 1);
    }
}

/* Length of the way from (x, y) to the lower right corner, marked with dots; 0 if there is none. */
static int solve(int x, int y) {
    if (x < 0 || y < 0 || x >= width || y >= height || square[y][x] != ' ') return 0;
    visited++;
    square[y][x] = '.';
    if (x == width - 2 && y == height - 2) return 1;
    for (int i = 0; i < 4; i++) {
        int rest = solve(x + step_x[i], y + step_y[i]);
        if (rest) return rest + 1;
    }
    square[y][x] = '_'; /* a dead end; not to be walked again */
    return 0;
}

int main(int argc, char **argv) {
    if (argc > 2) {
        width = atoi(argv[1]) | 1; /* odd: walls stand on even squares */
        height = atoi(argv[2]) | 1;
    }
    if (argc == 2 || width < 5 || width > WIDEST || height < 5 || height > HIGHEST) {
        if (mog_rank() == 0) fprintf(stderr, "usage: maze [WIDTH HEIGHT [SEED]], up to %d by %d\n", WIDEST, HIGHEST);
        return 2;
    }
    random_state = (unsigned)(argc > 3 ? atoi(argv[3]) : mog_rank()) * 2654435761u + 12345u;
    for (int y = 0; y < height; y++) memset(square[y], '#', (size_t)width);
    dig(1, 1, 1);
    int length = solve(1, 1);
    if (mog_size() > 1) {
        printf("PE %d: %d squares long, %d visited, dug %d deep\n", mog_rank(), length, visited, deepest);
        return 0;
    }
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) putchar(square[y][x] == '_' ? ' ' : square[y][x]);
        putchar('\n');
    }
    printf("%d squares long, %d visited, dug %d deep\n", length, visited, deepest);
    return 0;
}
