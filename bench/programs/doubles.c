/* doubles: for bench/doubles. Its argument says what: an operation many times ("add", "multiply", "divide", "root", or "none": only the
 * loop); "results": the bits of a few thousand results; "energy": how far the energy of five bodies drifts from where it began. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { operands = 64, rounds = 2000 };
static double a[operands], b[operands];
static unsigned seed = 1;

static double operand(void)
{
    seed = seed * 1664525u + 1013904223u;
    double x = 1.0 + seed * 0x1p-32;
    seed = seed * 1664525u + 1013904223u;
    x += seed * 0x1p-64;
    return ldexp(x, (int)(seed >> 27) - 16);
}

#define TIMES(expression)                                                   \
    for (int r = 0; r < rounds; r++)                                        \
        for (int i = 0; i < operands; i++) sink = expression

static void print(double x)
{
    unsigned word[2];
    memcpy(word, &x, sizeof word);
    printf("%08x%08x\n", word[1], word[0]);
}

struct body { double x[3], v[3], mass; };
static struct body bodies[5];

static double energy(void)
{
    double sum = 0;
    for (int i = 0; i < 5; i++) {
        for (int k = 0; k < 3; k++) sum += 0.5 * bodies[i].mass * bodies[i].v[k] * bodies[i].v[k];
        for (int j = i + 1; j < 5; j++) {
            double d2 = 0.01;
            for (int k = 0; k < 3; k++) d2 += (bodies[i].x[k] - bodies[j].x[k]) * (bodies[i].x[k] - bodies[j].x[k]);
            sum -= bodies[i].mass * bodies[j].mass / sqrt(d2);
        }
    }
    return sum;
}

/* Leapfrog, which keeps the energy; what is left is the error of its steps, the same for all, and that of rounding. */
static void kick(double dt)
{
    for (int i = 0; i < 5; i++)
        for (int j = i + 1; j < 5; j++) {
            double d[3], d2 = 0.01;
            for (int k = 0; k < 3; k++) d[k] = bodies[i].x[k] - bodies[j].x[k], d2 += d[k] * d[k];
            double force = dt / (d2 * sqrt(d2));
            for (int k = 0; k < 3; k++) {
                bodies[i].v[k] -= d[k] * bodies[j].mass * force;
                bodies[j].v[k] += d[k] * bodies[i].mass * force;
            }
        }
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "results";
    volatile double sink = 0;
    for (int i = 0; i < operands; i++) a[i] = operand(), b[i] = operand();
    if (!strcmp(what, "none")) TIMES(a[i]);
    if (!strcmp(what, "add")) TIMES(a[i] + b[i]);
    if (!strcmp(what, "multiply")) TIMES(a[i] * b[i]);
    if (!strcmp(what, "divide")) TIMES(a[i] / b[i]);
    if (!strcmp(what, "root")) TIMES(sqrt(a[i]));
    if (!strcmp(what, "results"))
        for (int i = 0; i < 1000; i++) {
            double x = operand(), y = operand();
            print(x - y);
            print(x * y);
            print(x / y);
            print(sqrt(x));
        }
    if (!strcmp(what, "energy")) {
        for (int i = 0; i < 5; i++)
            bodies[i] = (struct body){{i * 3.0, 1.5 - i, 0.25 * i * i}, {0.01 * i, 0.02, -0.01 * i}, 1.0 / (i + 1)};
        for (int step = 0; step < 2000; step++) {
            kick(0.0005);
            for (int i = 0; i < 5; i++)
                for (int k = 0; k < 3; k++) bodies[i].x[k] += 0.001 * bodies[i].v[k];
            kick(0.0005);
        }
        print(energy());
    }
    return 0;
}
