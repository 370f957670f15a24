/* A matrix as the product of a lower and an upper one, by quarters. */
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

enum { FEW = 8 };
static int row;

/* c -= a b */
static void subtract(double *c, const double *a, const double *b, int n) {
    if (n <= FEW) {
        for (int i = 0; i < n; ++i)
            for (int m = 0; m < n; ++m)
                for (int k = 0; k < n; ++k) c[i * row + k] -= a[i * row + m] * b[m * row + k];
        return;
    }
    const int h = n / 2, down = h * row;
    cilk_spawn subtract(c, a, b, h);
    cilk_spawn subtract(c + h, a, b + h, h);
    cilk_spawn subtract(c + down, a + down, b, h);
    subtract(c + down + h, a + down, b + h, h);
    cilk_sync;
    cilk_spawn subtract(c, a + h, b + down, h);
    cilk_spawn subtract(c + h, a + h, b + down + h, h);
    cilk_spawn subtract(c + down, a + down + h, b + down, h);
    subtract(c + down + h, a + down + h, b + down + h, h);
}

/* Solves l x = b, where x comes in b's place. */
static void solve_lower(double *b, const double *l, int n) {
    if (n <= FEW) {
        for (int i = 0; i < n; ++i)
            for (int m = 0; m < i; ++m)
                for (int k = 0; k < n; ++k) b[i * row + k] -= l[i * row + m] * b[m * row + k];
        return;
    }
    const int h = n / 2, down = h * row;
    for (int column = 0; column < n; column += h) {
        cilk_spawn solve_lower(b + column, l, h);
    }
    cilk_sync;
    cilk_spawn subtract(b + down, l + down, b, h);
    subtract(b + down + h, l + down, b + h, h);
    cilk_sync;
    cilk_spawn solve_lower(b + down, l + down + h, h);
    solve_lower(b + down + h, l + down + h, h);
}
/* x u = b */
static void solve_upper(double *b, const double *u, int n) {
    if (n <= FEW) {
        for (int i = 0; i < n; ++i)
            for (int k = 0; k < n; ++k) {
                for (int m = 0; m < k; ++m) b[i * row + k] -= b[i * row + m] * u[m * row + k];
                b[i * row + k] /= u[k * row + k];
            }
        return;
    }
    const int h = n / 2, down = h * row;
    cilk_spawn solve_upper(b, u, h);
    solve_upper(b + down, u, h);
    cilk_sync;
    cilk_spawn subtract(b + h, b, u + h, h);
    subtract(b + down + h, b + down, u + h, h);
    cilk_sync;
    cilk_spawn solve_upper(b + h, u + down + h, h);
    solve_upper(b + down + h, u + down + h, h);
}

static void factor(double *a, int n) {
    if (n <= FEW) {
        for (int m = 0; m < n; ++m)
            for (int i = m + 1; i < n; ++i) {
                a[i * row + m] /= a[m * row + m];
                for (int k = m + 1; k < n; ++k) a[i * row + k] -= a[i * row + m] * a[m * row + k];
            }
        return;
    }
    const int h = n / 2, down = h * row;
    factor(a, h);
    cilk_spawn solve_lower(a + h, a, h);
    solve_upper(a + down, a, h);
    cilk_sync;
    subtract(a + down + h, a + down, a + h, h);
    factor(a + down + h, h);
}

int main(int argc, char **argv) {
    row = argc > 1 ? atoi(argv[1]) : 64;
    double *a = malloc(row * row * sizeof *a), *l_u = malloc(row * row * sizeof *l_u), worst = 0, sum = 0;
    for (int i = 0; i < row; ++i)
        for (int k = 0; k < row; ++k) a[i * row + k] = l_u[i * row + k] = i == k ? row * 10 : (i * 7 + k * 3) % 11;
    factor(l_u, row);
    for (int i = 0; i < row; ++i)
        for (int k = 0; k < row; ++k) {
            double is = i <= k ? l_u[i * row + k] : 0;
            for (int m = 0; m < (i < k ? i : k + 1); ++m) is += l_u[i * row + m] * l_u[m * row + k];
            const double off = is > a[i * row + k] ? is - a[i * row + k] : a[i * row + k] - is;
            worst = off > worst ? off : worst;
            sum += l_u[i * row + k];
        }
    printf("%d: %.6f, %s\n", row, sum, worst < 1e-9 ? "right" : "wrong");
    free(a);
    free(l_u);
    return 0;
}
