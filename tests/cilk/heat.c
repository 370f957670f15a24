/* Heat that spreads over a plate, step by step, rows by halving and by a loop in turns. */
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 256 };
static double plates[2][MOST][MOST];
static int size, from;

static void do_row(int i) {
    for (int k = 1; k < size - 1; ++k)
        plates[!from][i][k] = plates[from][i][k] + 0.1 * (plates[from][i - 1][k] + plates[from][i + 1][k] + plates[from][i][k - 1] +
                                                          plates[from][i][k + 1] - 4 * plates[from][i][k]);
}
static void do_rows(int begin, int end) {
    if (end - begin <= 4) {
        for (int i = begin; i < end; ++i) do_row(i);
        return;
    }
    const int middle = begin + (end - begin) / 2;
    cilk_spawn do_rows(begin, middle);
    do_rows(middle, end);
}

int main(int argc, char **argv) {
    size = argc > 1 ? atoi(argv[1]) : 48;
    const int steps = argc > 2 ? atoi(argv[2]) : 40;
    for (int i = 0; i < size; ++i) plates[0][i][0] = plates[1][i][0] = 100, plates[0][0][i] = plates[1][0][i] = 50;
    for (int step = 0; step < steps; ++step) {
        if (step % 2) {
            do_rows(1, size - 1);
        } else {
#pragma cilk grainsize = 5
            cilk_for (int i = 1; i < size - 1; ++i) do_row(i);
        }
        from = !from;
    }
    double sum = 0;
    for (int i = 0; i < size; ++i)
        for (int k = 0; k < size; ++k) sum += plates[from][i][k];
    printf("%d, %d steps: %.9f %.9f\n", size, steps, sum, plates[from][size / 2][size / 2]);
    return 0;
}
