/* Roots by bisection and by secants until neighbours; the number of steps counts too. */
#include <stdio.h>

static double f(double x) { return x * x * x - 2 * x - 5; }

int main(void) {
    double low = 2, high = 3, a = 2, b = 3;
    int steps = 0, turns = 0;
    while (1) {
        double middle = (low + high) / 2;
        if (middle == low || middle == high) break;
        if (f(middle) < 0) low = middle;
        else high = middle;
        steps++;
    }
    while (turns < 50 && b != a && f(b) != f(a)) {
        double c = b - f(b) * (b - a) / (f(b) - f(a));
        a = b, b = c, turns++;
    }
    printf("%a %d %a %d\n", low, steps, b, turns);
    return 0;
}
