/* floor, ceil, trunc, rint and square roots, of floats and doubles: random ones, and those beside the numbers where the way to
 * compute them changes. */
#include <errno.h>
#include <math.h>
#include <stdio.h>

#include "testing.h"

static uint32_t state = 2463534242u;

/* A number of one of five kinds. */
static double next_number(int kind)
{
    static const double limits[] = {0x1p23, 0x1p30, 0x1p31, 0x1p51, 0x1p52, 0x1p53};
    double x = (double)(int32_t)next_random(&state);
    switch (kind) {
    case 0: return double_of_bits(next_random64(&state));
    case 1: return x / (double)(1u << next_random(&state) % 31);
    case 2: return ldexp(x + 0.5, (int)(next_random(&state) % 40) - 8);
    case 3: return (double)((int)(next_random(&state) % 64) - 32) / 4;
    default: return (x < 0 ? -1 : 1) * (limits[next_random(&state) % 6] + ((int)(next_random(&state) % 33) - 16) * 0.125);
    }
}

static void add_double(uint32_t *sum, double x) { *sum = hash_u64(*sum, same_nan_double(x)); }
static void add_float(uint32_t *sum, float x) { *sum = hash_u32(*sum, same_nan_float(x)); }

static void try_all(void)
{
    uint32_t sums[6] = {HASH_START, HASH_START, HASH_START, HASH_START, HASH_START, HASH_START};
    for (int i = 0; i < 1500; i++) {
        volatile double d = next_number(i % 5);
        volatile float f = i % 5 ? (float)d : float_of_bits(next_random(&state));
        add_double(&sums[0], floor(d)), add_double(&sums[1], ceil(d)), add_double(&sums[2], trunc(d)), add_double(&sums[3], rint(d));
        add_float(&sums[0], floorf(f)), add_float(&sums[1], ceilf(f)), add_float(&sums[2], truncf(f)), add_float(&sums[3], rintf(f));
        errno = 0;
        add_double(&sums[4], sqrt(d)), add_float(&sums[5], sqrtf(f));
        sums[4] += errno == EDOM;
    }
    printf("floor %08x ceil %08x trunc %08x rint %08x sqrt %08x sqrtf %08x\n", sums[0], sums[1], sums[2], sums[3], sums[4], sums[5]);
}

int main(void)
{
    try_all();
    static const double special[] = {0.0, -0.0, 0.5, -0.5, 1e300, -1e300, INFINITY, -INFINITY, NAN};
    for (int i = 0; i < (int)(sizeof special / sizeof *special); i++) {
        volatile double d = special[i];
        volatile float f = (float)d;
        printf("%a: %a %a %a %a, %a %a %a %a\n", d, floor(d), ceil(d), trunc(d), rint(d), floorf(f), ceilf(f), truncf(f), rintf(f));
    }
    return 0;
}
