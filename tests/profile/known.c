/* known.c: light() and heavy() have the same code, and heavy() goes round its loop three times as often. */
#include <mog.h>
#include <stdio.h>
#include <stdlib.h>

static volatile unsigned sink;

__attribute__((noipa)) static unsigned light(unsigned n)
{
    unsigned x = n;
    for (unsigned i = 0; i < n; i++)
        x = x * 1664525u + 1013904223u; /* light's line */
    return x;
}

__attribute__((noipa)) static unsigned heavy(unsigned n)
{
    unsigned x = n;
    for (unsigned i = 0; i < n; i++)
        x = x * 1664525u + 1013904223u; /* heavy's line */
    return x;
}

__attribute__((noipa)) static unsigned both(unsigned n)
{
    unsigned x = 0;
    for (int i = 0; i < 100; i++)
        x += light(n / 100) ^ heavy(3 * (n / 100));
    return x;
}

int main(int argc, char **argv)
{
    unsigned n = argc > 1 ? (unsigned)atoi(argv[1]) : 100000;
    if (argc > 2) /* the r-th of the PEs does r + 1 units */
        n *= IPROC + 1;
    sink = both(n);
    if (IPROC == 0)
        puts("done");
    return 0;
}
