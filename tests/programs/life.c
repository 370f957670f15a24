/* Conway's life on a torus, once over bytes and once over bits in words; both must agree. */
#include <stdio.h>

#include "testing.h"

enum { N = 32 };
static unsigned char cells[N][N], next[N][N];
static uint32_t rows[N];

static void step_bytes(void) {
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++) {
            int n = 0;
            for (int dy = N - 1; dy <= N + 1; dy++)
                for (int dx = N - 1; dx <= N + 1; dx++)
                    if (dy != N || dx != N) n += cells[(y + dy) % N][(x + dx) % N];
            next[y][x] = n == 3 || (n == 2 && cells[y][x]);
        }
    memcpy(cells, next, sizeof cells);
}

static uint32_t left(uint32_t x) { return x << 1 | x >> 31; }
static uint32_t right(uint32_t x) { return x >> 1 | x << 31; }

/* All 32 cells of a row at once: neighbours are counted in three bit planes. */
static void step_bits(void) {
    uint32_t result[N];
    for (int y = 0; y < N; y++) {
        uint32_t up = rows[(y + N - 1) % N], here = rows[y], down = rows[(y + 1) % N];
        uint32_t neighbours[8] = {left(up), up, right(up), left(here), right(here), left(down), down, right(down)};
        uint32_t ones = 0, twos = 0, fours = 0;
        for (int i = 0; i < 8; i++) {
            uint32_t carry = ones & neighbours[i];
            ones ^= neighbours[i];
            uint32_t more = twos & carry;
            twos ^= carry;
            fours |= more;
        }
        result[y] = twos & ~fours & (ones | here);
    }
    memcpy(rows, result, sizeof rows);
}

static void set(int y, int x) { cells[y][x] = 1; rows[y] |= 1u << x; }

int main(void) {
    static const char glider[3][4] = {".#.", "..#", "###"};
    for (int y = 0; y < 3; y++)
        for (int x = 0; x < 3; x++)
            if (glider[y][x] == '#') { set(y + 2, x + 2); set(N - 5 + y, 9 + x); }
    static const int pentomino[5][2] = {{16, 16}, {15, 16}, {17, 16}, {16, 15}, {15, 17}};
    for (int i = 0; i < 5; i++) set(pentomino[i][0], pentomino[i][1]);
    for (int generation = 0; generation <= 40; generation++) {
        int count = 0, agree = 1;
        for (int y = 0; y < N; y++)
            for (int x = 0; x < N; x++) { count += cells[y][x]; agree &= cells[y][x] == (rows[y] >> x & 1); }
        if (generation % 8 == 0 || !agree) printf("%d: %d alive, %s\n", generation, count, agree ? "agree" : "DIFFER");
        step_bytes();
        step_bits();
    }
    for (int y = 0; y < N; y++) {
        for (int x = 0; x < N; x++) putchar(cells[y][x] ? '#' : '.');
        putchar('\n');
    }
    return 0;
}
