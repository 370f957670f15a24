/* Fast Fourier transform, in double and in single precision: spectrum of two tones, there and back, convolution. */
#include <math.h>
#include <stdio.h>

#include "testing.h"

enum { N = 64 };

static void transform(double *re, double *im, int n, int direction) {
    for (int i = 1, j = 0; i < n; i++) {
        int bit = n >> 1;
        for (; j & bit; bit >>= 1) j ^= bit;
        j ^= bit;
        if (i < j) { double t = re[i]; re[i] = re[j]; re[j] = t; t = im[i]; im[i] = im[j]; im[j] = t; }
    }
    for (int size = 2; size <= n; size *= 2) {
        double angle = direction * 6.283185307179586 / size, wr = cos(angle), wi = sin(angle);
        for (int start = 0; start < n; start += size) {
            double cr = 1, ci = 0;
            for (int k = start; k < start + size / 2; k++) {
                int m = k + size / 2;
                double xr = re[m] * cr - im[m] * ci, xi = re[m] * ci + im[m] * cr, next = cr * wr - ci * wi;
                re[m] = re[k] - xr; im[m] = im[k] - xi;
                re[k] += xr; im[k] += xi;
                ci = cr * wi + ci * wr; cr = next;
            }
        }
    }
}

static void transform_recursive(const float *re, const float *im, float *out_re, float *out_im, int n, int stride) {
    if (n == 1) { *out_re = *re; *out_im = *im; return; }
    transform_recursive(re, im, out_re, out_im, n / 2, stride * 2);
    transform_recursive(re + stride, im + stride, out_re + n / 2, out_im + n / 2, n / 2, stride * 2);
    for (int k = 0; k < n / 2; k++) {
        float angle = -6.2831853f * (float)k / (float)n, c = cosf(angle), s = sinf(angle);
        float xr = out_re[k + n / 2] * c - out_im[k + n / 2] * s, xi = out_re[k + n / 2] * s + out_im[k + n / 2] * c;
        out_re[k + n / 2] = out_re[k] - xr; out_im[k + n / 2] = out_im[k] - xi;
        out_re[k] += xr; out_im[k] += xi;
    }
}

int main(void) {
    double re[N], im[N] = {0}, kept[N];
    float fre[N], fim[N] = {0}, ore[N], oim[N];
    for (int i = 0; i < N; i++) { kept[i] = re[i] = sin(6.283185307179586 * 5 * i / N) + 0.5 * cos(6.283185307179586 * 12 * i / N) + i % 3; fre[i] = (float)re[i]; }
    transform(re, im, N, -1);
    transform_recursive(fre, fim, ore, oim, N, 1);
    int agree = 1;
    for (int i = 0; i <= N / 2; i++) {
        double size = sqrt(re[i] * re[i] + im[i] * im[i]);
        agree &= fabs(re[i] - (double)ore[i]) < 1e-4 && fabs(im[i] - (double)oim[i]) < 1e-4;
        if (size > 1) printf("%d: %.9f\n", i, size);
    }
    printf("single and double %s\n", agree ? "agree" : "differ");
    transform(re, im, N, 1);
    double worst = 0;
    for (int i = 0; i < N; i++) worst = fmax(worst, fabs(re[i] / N - kept[i]) + fabs(im[i]));
    printf("there and back within 1e-12: %d\n", worst < 1e-12);
    /* 1234567890 * 987654321 as a convolution of digits. */
    double ar[32] = {0}, ai[32] = {0}, br[32] = {0}, bi[32] = {0};
    for (int i = 0; i < 10; i++) { ar[i] = "0987654321"[i] - '0'; br[i] = "123456789\060"[i] - '0'; }
    transform(ar, ai, 32, -1);
    transform(br, bi, 32, -1);
    for (int i = 0; i < 32; i++) { double r = ar[i] * br[i] - ai[i] * bi[i]; ai[i] = ar[i] * bi[i] + ai[i] * br[i]; ar[i] = r; }
    transform(ar, ai, 32, 1);
    unsigned long long product = 0, place = 1;
    for (int i = 0; i < 19; i++, place *= 10) product += (unsigned long long)(ar[i] / 32 + 0.5) * place;
    printf("%llu %llu\n", product, 1234567890ull * 987654321ull);
    return 0;
}
