/* Three-dimensional arrays, rows as values, pointers to arrays, partial initialisation. */
#include <stdio.h>

static int cube[3][4][5] = {{{1, 2}, {3}}, [2] = {[3] = {[4] = 9}}};

static int total(int (*plane)[5], int rows) {
    int sum = 0;
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < 5; c++) sum += plane[r][c] * (r + 1) * (c + 1);
    return sum;
}

int main(void) {
    int (*middle)[4][5] = &cube[1];
    for (int i = 0; i < 20; i++) (*middle)[i / 5][i % 5] = i;
    printf("%d %d %d\n", total(cube[0], 4), total(cube[1], 4), total(cube[2], 4));
    int (*p)[5] = cube[1] + 2;
    printf("%d %d %td %zu\n", p[-1][4], *(*(p + 1) + 2), &cube[2] - &cube[0], sizeof *p);
    int *flat = &cube[0][0][0];
    return flat[59];
}
