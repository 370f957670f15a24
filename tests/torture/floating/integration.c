/* Simpson's rule, Runge and Kutta, and a pendulum: long chains of rounded operations. */
#include <stdio.h>

static double f(double x) { return 1 / (1 + x * x); }

int main(void) {
    double sum = f(0) + f(1);
    for (int i = 1; i < 200; i++) sum += f(i / 200.0) * (i & 1 ? 4 : 2);
    printf("%a\n", sum / 600 * 4);
    double x = 1, v = 0, h = 0.01;
    for (int i = 0; i < 700; i++) {
        double k1 = v, l1 = -x, k2 = v + h / 2 * l1, l2 = -(x + h / 2 * k1), k3 = v + h / 2 * l2, l3 = -(x + h / 2 * k2), k4 = v + h * l3, l4 = -(x + h * k3);
        x += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4), v += h / 6 * (l1 + 2 * l2 + 2 * l3 + l4);
    }
    printf("%a %a\n", x, v);
    return 0;
}
