/* doacross.c: loops whose iterations wait for others: one, two and three deep, in all schedules, with counters of 32 and 64 bits. */
#include <omp.h>
#include <stdio.h>
#include <string.h>

enum { TEAM = 4, ROWS = 30, COLUMNS = 25 };

static int line[200], grid[ROWS][COLUMNS], cube[8][7][6];

static unsigned checksum(const int *numbers, int count) {
    unsigned sum = 0;
    for (int i = 0; i < count; ++i) sum = sum * 31 + (unsigned)numbers[i];
    return sum;
}

static void in_line(void) {
    for (int kind = omp_sched_static; kind <= omp_sched_guided; ++kind)
        for (int chunk = 0; chunk < 6; chunk += 5) {
            omp_set_schedule(kind, chunk);
            memset(line, 0, sizeof line);
            line[0] = line[1] = 1;
#pragma omp parallel for schedule(runtime) ordered(1) num_threads(TEAM)
            for (int i = 2; i < 200; ++i) {
#pragma omp ordered depend(sink : i - 1) depend(sink : i - 2)
                line[i] = (line[i - 1] + line[i - 2]) % 10007;
#pragma omp ordered depend(source)
            }
            printf("line %d %d: %08x\n", kind, chunk, checksum(line, 200));
        }
#pragma omp parallel num_threads(TEAM)
    {
        /* Down, in steps, one loop behind the other. */
#pragma omp for schedule(static, 1) ordered(1) nowait
        for (long i = 190; i >= 3; i -= 3) {
#pragma omp ordered depend(sink : i + 3)
            line[i] = line[i + 3] * 5 % 10007 + 1;
#pragma omp ordered depend(source)
        }
#pragma omp barrier
#pragma omp for schedule(dynamic, 2) ordered(1)
        for (unsigned long long i = 1ull << 62; i < (1ull << 62) + 150; ++i) {
#pragma omp ordered depend(sink : i - 1)
            const int at = (int)(i - (1ull << 62)) + 1;
            line[at] = (line[at - 1] * 3 + at) % 10007;
#pragma omp ordered depend(source)
        }
    }
    printf("down and long: %08x\n", checksum(line, 200));
}

static void in_grid(void) {
    for (int round = 0; round < 3; ++round) {
        memset(grid, 0, sizeof grid);
        for (int i = 0; i < ROWS; ++i) grid[i][0] = i;
        for (int k = 0; k < COLUMNS; ++k) grid[0][k] = 3 * k;
        omp_set_schedule(round == 0 ? omp_sched_static : round == 1 ? omp_sched_dynamic : omp_sched_guided, round == 0 ? 1 : 0);
#pragma omp parallel for schedule(runtime) ordered(2) num_threads(TEAM)
        for (int i = 1; i < ROWS; ++i)
            for (int k = 1; k < COLUMNS; ++k) {
#pragma omp ordered depend(sink : i - 1, k) depend(sink : i, k - 1) depend(sink : i - 1, k - 1)
                grid[i][k] = (grid[i - 1][k] + 2 * grid[i][k - 1] + 3 * grid[i - 1][k - 1]) % 10007;
#pragma omp ordered depend(source)
            }
        printf("grid: %08x\n", checksum(&grid[0][0], ROWS * COLUMNS));
    }
    /* A wave to the left, and an iteration that waits far ahead in the row above. */
#pragma omp parallel for schedule(static) ordered(2) num_threads(TEAM)
    for (int i = 0; i < ROWS; ++i)
        for (int k = 0; k < COLUMNS - 3; ++k) {
#pragma omp ordered depend(sink : i - 1, k + 3)
            grid[i][k] = ((i ? grid[i - 1][k + 3] : 7) * 5 + k) % 10007;
#pragma omp ordered depend(source)
        }
    printf("ahead: %08x\n", checksum(&grid[0][0], ROWS * COLUMNS));
}

static void in_cube(void) {
    memset(cube, 0, sizeof cube);
    int sum = 0;
#pragma omp parallel for ordered(3) collapse(1) schedule(dynamic) reduction(+ : sum) num_threads(TEAM)
    for (int i = 0; i < 8; ++i)
        for (int k = 6; k >= 0; --k)
            for (int m = 0; m < 6; m += 2) {
#pragma omp ordered depend(sink : i - 1, k, m) depend(sink : i, k + 1, m) depend(sink : i, k, m - 2)
                cube[i][k][m] = 1 + (i ? cube[i - 1][k][m] : 0) + (k < 6 ? cube[i][k + 1][m] : 0) + (m ? cube[i][k][m - 2] : 0);
                sum += cube[i][k][m];
#pragma omp ordered depend(source)
            }
    printf("cube: %08x sum %d\n", checksum(&cube[0][0][0], 8 * 7 * 6), sum);
    /* Two loops collapsed, and one within. */
    int order = 0, wrong = 0;
    static int when[5][5][5];
#pragma omp parallel for collapse(2) ordered(3) schedule(static, 1) num_threads(TEAM)
    for (int i = 0; i < 5; ++i)
        for (int k = 0; k < 5; ++k)
            for (int m = 0; m < 5; ++m) {
#pragma omp ordered depend(sink : i, k - 1, m) depend(sink : i - 1, k, m)
                int now;
#pragma omp atomic capture
                now = ++order;
                when[i][k][m] = now;
#pragma omp ordered depend(source)
            }
    for (int i = 0; i < 125; ++i) {
        const int a = i / 25, b = i / 5 % 5, c = i % 5;
        wrong += a && when[a - 1][b][c] >= when[a][b][c];
        wrong += b && when[a][b - 1][c] >= when[a][b][c];
    }
    printf("collapsed: %d, wrong %d\n", order, wrong);
}

int main(void) {
    in_line();
    in_grid();
    in_cube();
    return 0;
}
