/* A fast Fourier transform of 64 points and its inverse, every bit shown of a few. */
#include <complex.h>
#include <math.h>
#include <stdio.h>

static void transform(double complex *v, int n, int sign) {
    for (int i = 1, j = 0; i < n; i++) {
        int bit = n >> 1;
        for (; j & bit; bit >>= 1) j ^= bit;
        j ^= bit;
        if (i < j) { double complex t = v[i]; v[i] = v[j], v[j] = t; }
    }
    for (int size = 2; size <= n; size *= 2)
        for (int start = 0; start < n; start += size)
            for (int k = 0; k < size / 2; k++) {
                double a = sign * 2 * 3.14159265358979323846 * k / size;
                double complex w = cos(a) + sin(a) * I, e = v[start + k], o = w * v[start + k + size / 2];
                v[start + k] = e + o, v[start + k + size / 2] = e - o;
            }
}

int main(void) {
    double complex v[64];
    double worst = 0;
    for (int i = 0; i < 64; i++) v[i] = (i * 37 % 19) - 9 + (i % 5) * I;
    transform(v, 64, -1);
    for (int i = 0; i < 64; i += 9) printf("%.10f %.10f\n", creal(v[i]), cimag(v[i]));
    transform(v, 64, 1);
    for (int i = 0; i < 64; i++) worst = fmax(worst, cabs(v[i] / 64 - ((i * 37 % 19) - 9 + (i % 5) * I)));
    printf("%d\n", worst < 1e-12);
    return 0;
}
