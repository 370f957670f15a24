/* Which NaN it is, wherever one can be seen: stored, as an integer, passed on, kept over calls, branches and loops, negated,
 * half of a double. The results that are NaNs come from operations on other NaNs, and from invalid ones. Only their bits are
 * printed. */
#include <math.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>

#include "testing.h"

static uint32_t sum;
static void show(const char *what, uint64_t bits)
{
    printf("%s %llx\n", what, (unsigned long long)bits);
    sum = sum * 31 + (uint32_t)(bits >> 32) * 7 + (uint32_t)bits;
}

/* For either width.
 * straight: values that are stored, read as integers, negated and used on, all in one straight line.
 * ways: over branches and loops; what leaves them differs by the way that was taken. */
#define FUNCTIONS(real, word, bits, absolute, straight, ways)                                      \
    __attribute__((noinline)) static void straight(real x, real y, real *out, word *words)         \
    {                                                                                              \
        real a = x + y, b = a * x, c = b - y, d = c / x;                                           \
        out[0] = a;                                                                                \
        out[1] = -b;                                                                               \
        out[2] = absolute(c);                                                                      \
        out[3] = d * d;                                                                            \
        words[0] = bits(b) ^ bits(d);                                                              \
        words[1] = (word)(a < b) | (word)(b != b) << 1 | (word)(c >= d) << 2;                      \
        out[4] = d / y;                                                                            \
    }                                                                                              \
    __attribute__((noinline)) static real ways(const real *values, int count, int stop)            \
    {                                                                                              \
        real low = values[0], total = 0, product = 1;                                              \
        for (int i = 0; i < count; i++) {                                                          \
            real v = values[i] * 2 - values[i];                                                    \
            if (v < low) {                                                                         \
                low = v;                                                                           \
                continue;                                                                          \
            }                                                                                      \
            if (i == stop) return v - product;                                                     \
            total = total + v;                                                                     \
            product = v != v ? total : product * v;                                                \
        }                                                                                          \
        return total * product + low;                                                              \
    }
FUNCTIONS(float, uint32_t, bits_of_float, fabsf, straight, ways)
FUNCTIONS(double, uint64_t, bits_of_double, fabs, straight_double, ways_double)

/* Kept while another function runs, by recursion, by longjmp. */
__attribute__((noinline)) static float deep(float x, int depth)
{
    float before = x * 3 - x;
    float inner = depth ? deep(before, depth - 1) : x / x;
    return before + inner * (depth & 1 ? -1.0f : 1.0f);
}
static jmp_buf place;
__attribute__((noinline)) static void leave(float x)
{
    if (x != x) longjmp(place, 2);
    longjmp(place, 1);
}
__attribute__((noinline)) static uint32_t over_longjmp(float x, float y)
{
    volatile float kept = x - y;
    float other = x * y;
    const int how = setjmp(place);
    if (how == 0) leave(kept);
    return bits_of_float(kept) + (uint32_t)how * bits_of_float(x * y) + (other < 0);
}

/* As words of an integer type, through a union. */
union both { float f; uint32_t w; };
union both_double { double d; uint64_t w; uint32_t half[2]; };
__attribute__((noinline)) static uint32_t halves(double x, double y)
{
    union both_double u, v;
    u.d = x * y;
    v.d = u.d + x;
    u.half[0] ^= v.half[1];
    return (uint32_t)(u.d != u.d) + u.half[0] + v.half[0];
}
__attribute__((noinline)) static uint32_t mixed(float x, double y)
{
    union both u;
    u.f = (float)((double)x * y);
    double wide = (double)u.f - y;
    return u.w ^ (uint32_t)(bits_of_double(wide) >> 32) ^ (uint32_t)(int)(wide == wide ? wide : 7);
}

int main(void)
{
    static const uint32_t words[] = {0x7fbfffff, 0x7fc00000, 0xffc12345, 0x7f800001, 0xffbfffff, 0x7f800000, 0xff800000, 0x3f800000,
                                     0xc0490fdb, 0, 0x80000000, 1, 0x7f7fffff};
    enum { count = sizeof words / sizeof *words };
    float f[count];
    double d[count];
    for (int i = 0; i < count; i++) {
        f[i] = float_of_bits(words[i]);
        d[i] = double_of_bits((uint64_t)words[i] << 32 | (words[i] & 0x7fffff ? words[i] * 0x9e3779b1u : 0));
    }
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < count; k++) {
            float out[5];
            double wide[5];
            uint32_t w[2];
            uint64_t ww[2];
            straight(f[i], f[k], out, w);
            straight_double(d[i], d[k], wide, ww);
            for (int n = 0; n < 5; n++) {
                sum = sum * 31 + bits_of_float(out[n]);
                sum = sum * 31 + (uint32_t)(bits_of_double(wide[n]) >> 32) * 3 + (uint32_t)bits_of_double(wide[n]);
            }
            sum = sum * 31 + w[0] + w[1] + (uint32_t)(ww[0] >> 32) + (uint32_t)ww[0] + (uint32_t)ww[1];
            sum = sum * 31 + over_longjmp(f[i], f[k]) + halves(d[i], d[k]) + mixed(f[i], d[k]);
        }
        printf("row %d: %08x\n", i, (unsigned)sum);
    }
    for (int stop = -1; stop < count; stop++) {
        show("ways", bits_of_float(ways(f, count, stop)));
        show("ways of doubles", bits_of_double(ways_double(d, count, stop)));
        show("ways from behind", bits_of_float(ways(f + 5, count - 5, stop)));
    }
    for (int i = 0; i < count; i++) show("deep", bits_of_float(deep(f[i], i)));
    printf("%08x\n", (unsigned)sum);
    return 0;
}
