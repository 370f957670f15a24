/* Mean, variance and correlation by two passes and by Welford; sorting doubles. */
#include <math.h>
#include <stdio.h>

int main(void) {
    double v[100], mean = 0, m2 = 0, total = 0, squares = 0;
    unsigned x = 5;
    for (int i = 0; i < 100; i++) {
        x = x * 1664525 + 1013904223;
        v[i] = (double)(int)x / 65536.0 + i * 1e-7;
        double d = v[i] - mean;
        mean += d / (i + 1);
        m2 += d * (v[i] - mean);
        total += v[i];
    }
    for (int i = 0; i < 100; i++) squares += (v[i] - total / 100) * (v[i] - total / 100);
    for (int i = 1; i < 100; i++) for (int j = i; j && v[j] < v[j - 1]; j--) { double t = v[j]; v[j] = v[j - 1], v[j - 1] = t; }
    printf("%a %a %a %a %a %a\n", mean, m2, total, squares, v[50], sqrt(m2 / 99));
    return 0;
}
