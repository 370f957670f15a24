/* Variable-length arrays: of several dimensions, as parameters, their sizes and pointers to them. */
#include <stdio.h>

static int trace(int n, int m[n][n]) {
    int sum = 0;
    for (int i = 0; i < n; i++) sum += m[i][i];
    return sum;
}
static unsigned fill(int rows, int columns) {
    int a[rows][columns], (*p)[columns] = a;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) p[i][j] = i * 10 + j;
    typedef char line[columns];
    line l;
    return a[rows - 1][columns - 1] + sizeof a + sizeof *p * 1000 + sizeof l * 100000;
}

int main(void) {
    int m[3][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
    printf("%d %u %u\n", trace(3, m), fill(3, 5), fill(1, 1));
    for (int n = 1; n < 4; n++) {
        struct { int count; } s = {n};
        double d[s.count][2];
        d[n - 1][1] = n / 4.0;
        printf("%g %zu\n", d[n - 1][1], sizeof d);
    }
    return 0;
}
