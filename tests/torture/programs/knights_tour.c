/* A knight's tour by Warnsdorff's rule. */
#include <stdio.h>

static int board[8][8];
static const int dx[] = {1, 2, 2, 1, -1, -2, -2, -1}, dy[] = {2, 1, -1, -2, -2, -1, 1, 2};
static int free_at(int x, int y) { return x >= 0 && x < 8 && y >= 0 && y < 8 && !board[x][y]; }
static int ways(int x, int y) { int n = 0; for (int i = 0; i < 8; i++) n += free_at(x + dx[i], y + dy[i]); return n; }

int main(void) {
    int x = 0, y = 0;
    for (int step = 1; step <= 64; step++) {
        board[x][y] = step;
        int best = 9, to = -1;
        for (int i = 0; i < 8; i++) if (free_at(x + dx[i], y + dy[i]) && ways(x + dx[i], y + dy[i]) < best) best = ways(x + dx[i], y + dy[i]), to = i;
        if (to < 0) { printf("%d\n", step); break; }
        x += dx[to], y += dy[to];
    }
    for (int i = 0; i < 8; i++) printf("%d ", board[i][(i * 3) & 7]);
    puts("");
    return 0;
}
