/* _Complex float and double: arithmetic, functions, Mandelbrot membership, roots of unity. */
#include <complex.h>
#include <stdio.h>

static void show(const char *name, double complex z) { printf("%s %.12g%+.12gi\n", name, creal(z), cimag(z)); }

static int escape(double complex c) {
    double complex z = 0;
    for (int i = 0; i < 100; i++) {
        z = z * z + c;
        if (creal(z) * creal(z) + cimag(z) * cimag(z) > 4) return i;
    }
    return -1;
}

static double complex mix(float complex a, double b, double complex c) { return a * b + conj(c); }

int main(void) {
    double complex a = 3 + 4 * I, b = 1 - 2.5 * I;
    show("sum", a + b);
    show("difference", a - b);
    show("product", a * b);
    show("quotient", a / b);
    show("negative", -a);
    show("conjugate", conj(a));
    printf("abs %.12g arg %.12g\n", cabs(a), carg(a));
    show("sqrt", csqrt(a));
    show("exp", cexp(b));
    show("power", cpow(a, 2));
    show("mixed", mix(1.5f + 2.5f * I, 2.0, a));
    float complex f = 1.0f + 0.5f * I;
    for (int i = 0; i < 5; i++) f = f * f / (1 + cabsf(f));
    printf("float %.6g %.6g\n", crealf(f), cimagf(f));
    printf("equal %d %d\n", a == 3 + 4 * I, a == b);
    for (int k = 0; k < 5; k++) {
        double complex w = cexp(2 * 3.141592653589793 * I * k / 5);
        printf("%.9f ", creal(w) + 1e-15);
    }
    printf("\n");
    for (int y = -5; y <= 5; y++) {
        for (int x = -20; x <= 8; x++) {
            int n = escape(x / 10.0 + y / 4.0 * I);
            putchar(n < 0 ? '#' : n > 8 ? '+' : n > 3 ? '.' : ' ');
        }
        putchar('\n');
    }
    return 0;
}
