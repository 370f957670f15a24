/* rolls.c: throws two dice until both show the same; each PE with a seed of its own, which the host gives it. */
#include <stdio.h>

volatile unsigned seed; /* written by the host before the run */
unsigned throws;        /* read by it after */

static unsigned dice(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 16) % 6;
}

int main(void)
{
    unsigned state = seed;
    do throws++;
    while (dice(&state) != dice(&state));
    printf("seed %u: %u throws\n", seed, throws);
    return 0;
}
