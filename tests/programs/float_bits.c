/* Floats that are computed with, and looked at and changed as integers, in the same loops. */
#include <stdint.h>
#include <stdio.h>

typedef union {
    float f;
    uint32_t i;
} Bits;

/* The next float after, by its number. */
__attribute__((noinline)) static float up(float x, int steps)
{
    Bits u;
    float sum = 0;
    u.f = x;
    for (int n = 0; n < steps; n++) {
        sum = sum * 0.5f + u.f;
        u.i += 1u << 20;
        sum += u.f * u.f;
        u.f = u.f * 0.75f + sum * 0.01f;
        u.i -= 3;
    }
    return sum + u.f;
}

/* Halves by the exponent, the sign by its bit, a root by a guess from the bits. */
__attribute__((noinline)) static float root(float x)
{
    Bits u;
    u.f = x;
    u.i = 0x5f3759df - (u.i >> 1);
    for (int n = 0; n < 4; n++) u.f = u.f * (1.5f - 0.5f * x * u.f * u.f);
    u.f *= x;
    u.i ^= 0x80000000u;
    u.f = 1.0f - u.f;
    u.i += 0x00800000u;
    return u.f;
}

int main(void)
{
    uint32_t sum = 0;
    for (int n = 1; n < 400; n++) {
        Bits a, b;
        a.f = up((float)n * 0.37f, n % 50);
        b.f = root((float)n);
        sum = sum * 31 + a.i;
        sum = sum * 31 + b.i;
        if (n % 40 == 0) printf("%08x %08x %g %g\n", (unsigned)a.i, (unsigned)b.i, (double)a.f, (double)b.f);
    }
    printf("%08x\n", (unsigned)sum);
    return 0;
}
