/* Gauss-Jordan with pivoting, in doubles and floats, every bit shown. */
#include <math.h>
#include <stdio.h>

#define INVERT(type)                                                                                       \
    {                                                                                                      \
        type m[4][8];                                                                                      \
        for (int i = 0; i < 4; i++)                                                                        \
            for (int j = 0; j < 8; j++) m[i][j] = j < 4 ? (type)1 / (type)(i + j + 1) : j - 4 == i;        \
        for (int c = 0; c < 4; c++) {                                                                      \
            int p = c;                                                                                     \
            for (int r = c; r < 4; r++) if (fabs(m[r][c]) > fabs(m[p][c])) p = r;                          \
            for (int j = 0; j < 8; j++) { type t = m[c][j]; m[c][j] = m[p][j], m[p][j] = t; }              \
            type d = m[c][c];                                                                              \
            for (int j = 0; j < 8; j++) m[c][j] /= d;                                                      \
            for (int r = 0; r < 4; r++) if (r != c) {                                                      \
                type k = m[r][c];                                                                          \
                for (int j = 0; j < 8; j++) m[r][j] -= k * m[c][j];                                        \
            }                                                                                              \
        }                                                                                                  \
        for (int i = 0; i < 4; i++) for (int j = 4; j < 8; j++) printf("%a ", (double)m[i][j]);            \
        puts("");                                                                                          \
    }

int main(void) {
    INVERT(double) INVERT(float)
    return 0;
}
