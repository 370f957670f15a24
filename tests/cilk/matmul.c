/* A product of matrices, by halving its rows and columns, and by two nested loops. */
#include <cilk/cilk.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 128, FEW = 8 };
static int32_t a[MOST][MOST], b[MOST][MOST], halved[MOST][MOST], looped[MOST][MOST];
static int size;

static void multiply(int row, int rows, int column, int columns) {
    if (rows <= FEW && columns <= FEW) {
        for (int i = row; i < row + rows; ++i)
            for (int k = column; k < column + columns; ++k)
                for (int m = 0; m < size; ++m) halved[i][k] += a[i][m] * b[m][k];
    } else if (rows >= columns) {
        cilk_spawn multiply(row, rows / 2, column, columns);
        multiply(row + rows / 2, rows - rows / 2, column, columns);
    } else {
        cilk_spawn multiply(row, rows, column, columns / 2);
        multiply(row, rows, column + columns / 2, columns - columns / 2);
    }
}

int main(int argc, char **argv) {
    size = argc > 1 ? atoi(argv[1]) : 50;
    cilk_for (int i = 0; i < size; ++i)
        for (int k = 0; k < size; ++k) a[i][k] = i * 3 + k, b[i][k] = i - 2 * k;
    multiply(0, size, 0, size);
    cilk_for (int i = 0; i < size; ++i) {
        cilk_for (int k = 0; k < size; ++k) {
            int32_t sum = 0;
            for (int m = 0; m < size; ++m) sum += a[i][m] * b[m][k];
            looped[i][k] = sum;
        }
    }
    uint32_t hash = 0;
    int wrong = 0;
    for (int i = 0; i < size; ++i)
        for (int k = 0; k < size; ++k) hash = hash * 31 + (uint32_t)halved[i][k], wrong += halved[i][k] != looped[i][k];
    printf("%d: %08lx, %d differ\n", size, (unsigned long)hash, wrong);
    return 0;
}
