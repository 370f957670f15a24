/* Products of matrices by seven products of quarters. */
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int few = 16;

static void add(const double *a, int a_row, const double *b, int b_row, double *to, int n, double sign) {
    for (int i = 0; i < n; ++i)
        for (int k = 0; k < n; ++k) to[i * n + k] = a[i * a_row + k] + sign * b[i * b_row + k];
}

static void multiply_few(const double *a, int a_row, const double *b, int b_row, double *to, int n) {
    for (int i = 0; i < n; ++i) {
        double *row = to + i * n;
        memset(row, 0, n * sizeof *row);
        for (int m = 0; m < n; ++m) {
            const double factor = a[i * a_row + m];
            for (int k = 0; k < n; ++k) row[k] += factor * b[m * b_row + k];
        }
    }
}

/* to = a b; of `to` the rows are n long. */
static void multiply(const double *a, int a_row, const double *b, int b_row, double *to, int n) {
    if (n <= few) {
        multiply_few(a, a_row, b, b_row, to, n);
        return;
    }
    const int h = n / 2, area = h * h;
    const double *a11 = a, *a12 = a + h, *a21 = a + h * a_row, *a22 = a21 + h;
    const double *b11 = b, *b12 = b + h, *b21 = b + h * b_row, *b22 = b21 + h;
    double *room = malloc(17 * area * sizeof *room), *sums = room + 7 * area;
    add(a11, a_row, a22, a_row, sums, h, 1);
    add(b11, b_row, b22, b_row, sums + area, h, 1);
    add(a21, a_row, a22, a_row, sums + 2 * area, h, 1);
    add(b12, b_row, b22, b_row, sums + 3 * area, h, -1);
    add(b21, b_row, b11, b_row, sums + 4 * area, h, -1);
    add(a11, a_row, a12, a_row, sums + 5 * area, h, 1);
    add(a21, a_row, a11, a_row, sums + 6 * area, h, -1);
    add(b11, b_row, b12, b_row, sums + 7 * area, h, 1);
    add(a12, a_row, a22, a_row, sums + 8 * area, h, -1);
    add(b21, b_row, b22, b_row, sums + 9 * area, h, 1);
    cilk_spawn multiply(sums, h, sums + area, h, room, h);
    cilk_spawn multiply(sums + 2 * area, h, b11, b_row, room + area, h);
    cilk_spawn multiply(a11, a_row, sums + 3 * area, h, room + 2 * area, h);
    cilk_spawn multiply(a22, a_row, sums + 4 * area, h, room + 3 * area, h);
    cilk_spawn multiply(sums + 5 * area, h, b22, b_row, room + 4 * area, h);
    cilk_spawn multiply(sums + 6 * area, h, sums + 7 * area, h, room + 5 * area, h);
    multiply(sums + 8 * area, h, sums + 9 * area, h, room + 6 * area, h);
    cilk_sync;
    const double *m = room;
    for (int i = 0; i < h; ++i)
        for (int k = 0; k < h; ++k) {
            const int at = i * h + k;
            to[i * n + k] = m[at] + m[3 * area + at] - m[4 * area + at] + m[6 * area + at];
            to[i * n + h + k] = m[2 * area + at] + m[4 * area + at];
            to[(i + h) * n + k] = m[area + at] + m[3 * area + at];
            to[(i + h) * n + h + k] = m[at] - m[area + at] + m[2 * area + at] + m[5 * area + at];
        }
    free(room);
}

int main(int argc, char **argv) {
    const int n = argc > 1 ? atoi(argv[1]) : 64;
    if (argc > 2) few = atoi(argv[2]);
    double *a = malloc(n * n * sizeof *a), *b = malloc(n * n * sizeof *b), *to = malloc(n * n * sizeof *to), sum = 0, most = 0;
    for (int i = 0; i < n * n; ++i) a[i] = i % 17 - 8, b[i] = i % 13 - 6;
    multiply(a, n, b, n, to, n);
    for (int i = 0; i < n * n; ++i) sum += to[i] * (i % 7), most = to[i] > most ? to[i] : most;
    printf("%d: %.1f %.1f\n", n, sum, most);
    free(a);
    free(b);
    free(to);
    return 0;
}
