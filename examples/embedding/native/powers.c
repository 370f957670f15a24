/* powers.c: each PE raises a matrix of its own to the fourth power. It leaves products of matrices to the host. */
#include <mog.h>
#include <stdio.h>

enum { N = 12 };
static double a[N][N], square[N][N], fourth[N][N];

int main(void)
{
    for (int i = 0; i < N; i++)
        for (int k = 0; k < N; k++) a[i][k] = i == k ? 2 : (i * k + IPROC) % 3 - 1;

    const int multiply = mog_native("multiply");
    if (mog_native_call(multiply, a, a, square, N) < 0 || mog_native_call(multiply, square, square, fourth, N) < 0) {
        perror("multiply");
        return 1;
    }
    double trace = 0;
    for (int i = 0; i < N; i++) trace += fourth[i][i];
    printf("PE %d: trace of the fourth power: %.0f\n", IPROC, trace);
    return 0;
}
