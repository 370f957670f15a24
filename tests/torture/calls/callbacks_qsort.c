/* Library functions that call back, from within callbacks too. */
#include <stdio.h>
#include <stdlib.h>

static int compares;
static int by_last_digit(const void *a, const void *b) {
    int x = *(const int *)a % 10, y = *(const int *)b % 10;
    compares++;
    return x != y ? x - y : *(const int *)a - *(const int *)b;
}
static int by_sorted_rows(const void *a, const void *b) {
    int x[3], y[3];
    for (int i = 0; i < 3; i++) x[i] = ((const int *)a)[i], y[i] = ((const int *)b)[i];
    qsort(x, 3, sizeof *x, by_last_digit);
    qsort(y, 3, sizeof *y, by_last_digit);
    return by_last_digit(x, y);
}

int main(void) {
    int v[] = {31, 25, 14, 40, 99, 52, 11, 78, 63};
    qsort(v, 9, sizeof *v, by_last_digit);
    for (int i = 0; i < 9; i++) printf("%d ", v[i]);
    int rows[4][3] = {{9, 15, 38}, {22, 54, 17}, {7, 61, 5}, {80, 33, 4}};
    qsort(rows, 4, sizeof *rows, by_sorted_rows);
    for (int i = 0; i < 12; i++) printf("%d ", rows[i / 3][i % 3]);
    printf("%d\n", compares > 20);
    return 0;
}
