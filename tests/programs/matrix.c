/* Matrices: integer and double products, transposition, determinant and inverse by elimination, three dimensions. */
#include <math.h>
#include <stdio.h>

#include "testing.h"

enum { N = 12 };

static void multiply(int n, double a[n][n], double b[n][n], double result[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = 0; k < n; k++) sum += a[i][k] * b[k][j];
            result[i][j] = sum;
        }
}

static double determinant(int n, double m[n][n]) {
    double result = 1;
    for (int c = 0; c < n; c++) {
        int pivot = c;
        for (int r = c + 1; r < n; r++)
            if (fabs(m[r][c]) > fabs(m[pivot][c])) pivot = r;
        if (m[pivot][c] == 0) return 0;
        if (pivot != c) {
            for (int k = 0; k < n; k++) { double t = m[c][k]; m[c][k] = m[pivot][k]; m[pivot][k] = t; }
            result = -result;
        }
        result *= m[c][c];
        for (int r = c + 1; r < n; r++) {
            double factor = m[r][c] / m[c][c];
            for (int k = c; k < n; k++) m[r][k] -= factor * m[c][k];
        }
    }
    return result;
}

static uint32_t whole[N][N], squared[N][N];
static double real[N][N], inverse[N][N], product[N][N];
static signed char cube[5][6][7];

int main(void) {
    uint32_t random = 8;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            whole[i][j] = next_random(&random);
            real[i][j] = (int)(whole[i][j] >> 24) / 16.0 + (i == j) * 20;
        }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            for (int k = 0; k < N; k++) squared[i][j] += whole[i][k] * whole[k][j];
    uint32_t sum = HASH_START;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) sum = hash_u32(sum, squared[j][i]);
    printf("integer product transposed %08x, trace %u\n", sum, squared[0][0] + squared[5][5] + squared[11][11]);

    double work[N][N];
    memcpy(work, real, sizeof work);
    printf("determinant %.10g\n", determinant(N, work));

    memcpy(work, real, sizeof work);
    for (int i = 0; i < N; i++) inverse[i][i] = 1;
    for (int c = 0; c < N; c++) {
        double pivot = work[c][c];
        for (int k = 0; k < N; k++) { work[c][k] /= pivot; inverse[c][k] /= pivot; }
        for (int r = 0; r < N; r++) {
            if (r == c) continue;
            double factor = work[r][c];
            for (int k = 0; k < N; k++) { work[r][k] -= factor * work[c][k]; inverse[r][k] -= factor * inverse[c][k]; }
        }
    }
    multiply(N, real, inverse, product);
    double worst = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) worst = fmax(worst, fabs(product[i][j] - (i == j)));
    printf("inverse corner %.10g, within 1e-12: %d\n", inverse[0][0], worst < 1e-12);

    double hilbert[4][4];
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) hilbert[i][j] = 1.0 / (i + j + 1);
    printf("hilbert %.9g\n", determinant(4, hilbert));
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 6; j++)
            for (int k = 0; k < 7; k++) cube[i][j][k] = (signed char)(i * 50 - j * k * 3);
    unsigned total = 0;
    for (int k = 6; k >= 0; k--)
        for (int i = 0; i < 5; i++) total = total * 3 + (unsigned)cube[i][(i + k) % 6][k];
    printf("cube %u %d\n", total, cube[4][1][6]);
    return 0;
}
