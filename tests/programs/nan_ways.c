/* NaNs that come about in one place and are looked at in another: behind a loop, in it, in a function that is called, behind the
 * call, and in none. A processor's own NaN differs from that of MIPS, so a missed one shows in the bits. */
#include <stdio.h>
#include <string.h>

static unsigned bits(float f)
{
    unsigned u;
    memcpy(&u, &f, sizeof u);
    return u;
}

static unsigned long long bits_of_double(double d)
{
    unsigned long long u;
    memcpy(&u, &d, sizeof u);
    return u;
}

static volatile float big = 3e38f, zero = 0;
static volatile double huge = 1e308;

/* The NaN of the last round is looked at; those before it are not. */
static __attribute__((noinline)) float last_of(float step, int rounds)
{
    float x = step, y = 0;
    for (int i = 0; i < rounds; i++) {
        y = x - x * step;               /* inf - inf from some round on */
        x = x * step;
    }
    return y;
}

/* Made before the loop, stored in every round of it. */
static __attribute__((noinline)) void fill(float *to, int n, float a, float b)
{
    const float value = a * b - a * b;
    for (int i = 0; i < n; i++) to[i] = value;
}

/* On one way looked at, on the other one overwritten. */
static __attribute__((noinline)) unsigned maybe(float a, float b, int look)
{
    float value = a * b / (a * b);
    unsigned seen = 0;
    for (int i = 0; i < 4; i++) {
        if (look >> i & 1) seen = seen * 31 + bits(value);
        else value = value - a * b;
        if (value == value) seen++;     /* no operation on floats tells NaNs apart */
    }
    return seen;
}

static __attribute__((noinline)) double passed_on(double a, int depth)
{
    const double here = a * huge - a * huge;
    if (depth == 0) return here;
    const double below = passed_on(here, depth - 1);
    return depth & 1 ? below : here + below;
}

static __attribute__((noinline)) float by_case(int which, float a)
{
    float x = a * big - a * big;
    for (int i = 0; i < 3; i++)
        switch (which + i) {
        case 0: x = x * 2; break;
        case 1: x = -x; break;          /* of bits */
        case 2: x = x + a; break;
        case 3: x = a; break;
        case 4: x = x / zero; break;
        case 5: x = zero / zero; break;
        default: x = x - x; break;
        }
    return x;
}

/* Not looked at here, but by who called it through a pointer, wherever a slice ends in between. */
static __attribute__((noinline)) float waits(float a, int rounds)
{
    float value = a * big - a * big;
    for (int i = 0; i < rounds; i++)
        if ((i & 3) == 1) value = value * a;
    return value;
}

static float (*volatile pointer)(float, int) = waits;

int main(void)
{
    float filled[5];
    for (int rounds = 1; rounds < 8; rounds++) printf("last %d: %08x\n", rounds, bits(last_of(big, rounds)));
    fill(filled, 5, big, big);
    for (int i = 0; i < 5; i++) printf("filled %d: %08x\n", i, bits(filled[i]));
    for (int look = 0; look < 16; look++) printf("maybe %d: %08x\n", look, maybe(big, big, look));
    for (int depth = 0; depth < 6; depth++) printf("passed on %d: %016llx\n", depth, bits_of_double(passed_on(10, depth)));
    for (int which = 0; which < 7; which++) printf("case %d: %08x\n", which, bits(by_case(which, big)));
    for (int rounds = 0; rounds < 60; rounds++) printf("waited %d: %08x\n", rounds, bits(pointer(big, rounds)));
    return 0;
}
