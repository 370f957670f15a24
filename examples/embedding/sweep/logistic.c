/* logistic.c: what one PE does: the long run of x -> r x (1 - x), for the r that it finds in its memory. */
#include <math.h>

/* Written by the host before the start, and read by it at the end. */
volatile double rate;
struct {
    int period;         /* of the cycle that it comes to; 0: none up to 64 */
    double exponent;    /* Lyapunov's: below 0 where neighbours meet, above where they part */
} result;

static double step(double x)
{
    return rate * x * (1 - x);
}

int main(void)
{
    double x = 0.5, sum = 0;
    for (int i = 0; i < 1000; i++) x = step(x);
    const double start = x;
    for (int i = 1; i <= 64 && result.period == 0; i++) {
        x = step(x);
        if (fabs(x - start) < 1e-9) result.period = i;
    }
    const int steps = 500;
    for (int i = 0; i < steps; i++) {
        x = step(x);
        sum += log(fabs(rate * (1 - 2 * x)) + 1e-300);
    }
    result.exponent = sum / steps;
    return 0;
}
