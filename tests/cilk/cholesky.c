/* A symmetric matrix as the product of a lower one and its mirror image, by quarters that are found where they lie in a tree. */
#include <cilk/cilk.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { FEW = 4 };
/* A square of a matrix: numbers, or four quarters; null where all is zero. */
typedef struct square {
    struct square *quarters[2][2];
    double numbers[FEW][FEW];
} square;

static square *make(int n, int row, int column) {
    square *made = calloc(1, sizeof *made);
    if (n == FEW) {
        for (int i = 0; i < n; ++i)
            for (int k = 0; k < n; ++k) made->numbers[i][k] = row + i == column + k ? 100 : ((row + i) * (column + k)) % 5 == 1;
        return made;
    }
    for (int i = 0; i < 2; ++i)
        for (int k = 0; k <= (row == column ? i : 1); ++k) made->quarters[i][k] = make(n / 2, row + i * n / 2, column + k * n / 2);
    return made;
}
static void forget(square *one) {
    if (!one) return;
    for (int i = 0; i < 4; ++i) forget(one->quarters[i / 2][i % 2]);
    free(one);
}

/* c -= a b', where of c the upper half is left alone if it lies on the diagonal. */
static void subtract(square *c, const square *a, const square *b, int n, int diagonal) {
    if (n == FEW) {
        for (int i = 0; i < n; ++i)
            for (int k = 0; k < n; ++k)
                for (int m = 0; m < n; ++m) c->numbers[i][k] -= a->numbers[i][m] * b->numbers[k][m];
        return;
    }
    for (int m = 0; m < 2; ++m) {
        for (int i = 0; i < 2; ++i)
            for (int k = 0; k <= (diagonal ? i : 1); ++k)
                cilk_spawn subtract(c->quarters[i][k], a->quarters[i][m], b->quarters[k][m], n / 2, diagonal && i == k);
        cilk_sync;
    }
}
/* x l' = b */
static square *solve(square *b, const square *l, int n) {
    if (n == FEW) {
        for (int i = 0; i < n; ++i)
            for (int k = 0; k < n; ++k) {
                for (int m = 0; m < k; ++m) b->numbers[i][k] -= b->numbers[i][m] * l->numbers[k][m];
                b->numbers[i][k] /= l->numbers[k][k];
            }
        return b;
    }
    b->quarters[0][0] = cilk_spawn solve(b->quarters[0][0], l->quarters[0][0], n / 2);
    b->quarters[1][0] = solve(b->quarters[1][0], l->quarters[0][0], n / 2);
    cilk_sync;
    for (int i = 0; i < 2; ++i) cilk_spawn subtract(b->quarters[i][1], b->quarters[i][0], l->quarters[1][0], n / 2, 0);
    cilk_sync;
    b->quarters[0][1] = cilk_spawn solve(b->quarters[0][1], l->quarters[1][1], n / 2);
    b->quarters[1][1] = solve(b->quarters[1][1], l->quarters[1][1], n / 2);
    cilk_sync;
    return b;
}
static square *factor(square *a, int n) {
    if (n == FEW) {
        for (int k = 0; k < n; ++k) {
            for (int m = 0; m < k; ++m)
                for (int i = k; i < n; ++i) a->numbers[i][k] -= a->numbers[i][m] * a->numbers[k][m];
            const double pivot = sqrt(a->numbers[k][k]);
            for (int i = k; i < n; ++i) a->numbers[i][k] /= pivot;
        }
        return a;
    }
    a->quarters[0][0] = factor(a->quarters[0][0], n / 2);
    a->quarters[1][0] = solve(a->quarters[1][0], a->quarters[0][0], n / 2);
    subtract(a->quarters[1][1], a->quarters[1][0], a->quarters[1][0], n / 2, 1);
    a->quarters[1][1] = factor(a->quarters[1][1], n / 2);
    return a;
}
static double sum_of(const square *one, int n, int diagonal) {
    double sum = 0;
    if (!one) return 0;
    if (n > FEW) return sum_of(one->quarters[0][0], n / 2, diagonal) + sum_of(one->quarters[0][1], n / 2, 0) + sum_of(one->quarters[1][0], n / 2, 0) +
                        sum_of(one->quarters[1][1], n / 2, diagonal);
    for (int i = 0; i < n; ++i)
        for (int k = 0; k < (diagonal ? i + 1 : n); ++k) sum += one->numbers[i][k];
    return sum;
}

int main(int argc, char **argv) {
    const int n = argc > 1 ? atoi(argv[1]) : 64;
    square *a = factor(make(n, 0, 0), n);
    printf("%d: %.9f\n", n, sum_of(a, n, 1));
    forget(a);
    return 0;
}
