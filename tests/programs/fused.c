/* fused.c: fma and fmaf round once: x * y + z for special values, neighbours, near cancellation, overflow and underflow. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint64_t state = 88172645463325252ull;

static uint64_t next(void) {        /* Marsaglia's xorshift */
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static double to_double(uint64_t bits) {
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static float to_float(uint32_t bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* All NaNs are one. */
static uint64_t bits_of(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return x != x ? 0x7ff8000000000000ull : bits;
}

static uint32_t float_bits_of(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return x != x ? 0x7fc00000u : bits;
}

static double pick(void) {
    static const double special[] = {0, -0.0, 1, -1, INFINITY, -INFINITY, 0x1p-1074, 0x1.fffffffffffffp1023, 0x1p-1022, 3,
                                     0x1.0000000000001p0, NAN};
    uint64_t bits = next(), sign = bits & 1ull << 63, fraction = bits >> 12;
    switch (next() % 8) {
    case 0: return special[bits % 12];
    case 1:
    case 2: return to_double(sign | (993 + next() % 60) << 52 | fraction);
    case 3: return to_double(sign | (1 + next() % 60) << 52 | (fraction & 0xffffff));
    case 4: return to_double(sign | fraction);
    case 5: return to_double(sign | (1013 + next() % 20) << 52 | (next() & 3) | (next() & 3) << 50);
    default: return to_double(bits);
    }
}

int main(void) {
    uint64_t sum = 0;
    for (int i = 0; i < 2500; ++i) {
        double x = pick(), y = pick(), z = pick();
        float a = to_float(next()), b = to_float(next()), c = to_float(next());
        switch (next() % 6) {
        case 0: z = -x * y; a = x, b = y, c = z; break;
        case 1: z = -x * y * (1 + (double)(int)(next() % 5 - 2) * 0x1p-52); a = x, b = y, c = -a * b; break;
        case 2: z = x * y * to_double((903 + next() % 240) << 52); break;
        case 3: a = (1 + next() % 1000 * 0x1p-23f) * 0x1p-30f, b = 0x1p-100f * (1 + next() % 1000 * 0x1p-23f), c = to_float(next() % 100);
        }
        uint64_t fused = bits_of(fma(x, y, z)), fused_float = float_bits_of(fmaf(a, b, c));
        sum = sum * 31 + fused + fused_float * 7;
        if (i % 50 == 0)
            printf("%016llx %016llx %016llx -> %016llx %08x %016llx\n", (unsigned long long)bits_of(x), (unsigned long long)bits_of(y),
                   (unsigned long long)bits_of(z), (unsigned long long)fused, (unsigned)fused_float, (unsigned long long)sum);
    }
    printf("%d\n", fmal(0x1.0000001p0L, 0x1.0000001p0L, -1) != 0x1.0000001p0L * 0x1.0000001p0L - 1);
    return 0;
}
