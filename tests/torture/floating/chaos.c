/* The logistic map and Lorenz's equations magnify any difference in the last place. */
#include <stdio.h>

int main(void) {
    double x = 0.3, a = 1, b = 1, c = 1;
    float y = 0.3f;
    for (int i = 0; i < 3000; i++) {
        x = 3.99 * x * (1 - x);
        y = 3.99f * y * (1 - y);
        double da = 10 * (b - a), db = a * (28 - c) - b, dc = a * b - 8.0 / 3 * c;
        a += da * 0.005, b += db * 0.005, c += dc * 0.005;
    }
    printf("%a %a %a %a %a\n", x, y, a, b, c);
    return 0;
}
