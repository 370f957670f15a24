/* fma.c: x * y + z, rounded once. newlib's rounds the product too.
 *
 * Doubles: the exact product has 106 bits; product and z are laid out in 128 bits, the smaller one shifted right with its lost
 * bits kept as one sticky bit, added, and rounded to nearest even. Where a shift loses bits there can be no cancellation.
 * Floats: the product is exact in double; the sum is rounded to odd there, after which rounding to float is right (Boldo and
 * Melquiond, "Emulation of a FMA and correctly rounded sums: proved algorithms using rounding to odd", 2008).
 */
#include <math.h>
#include <stdint.h>
#include <string.h>

typedef struct {
    uint64_t high, low;
} Wide;

static uint64_t bits_of(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static double from_bits(uint64_t bits) {
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* |x| = mantissa * 2^exponent, mantissa in [2^52, 2^53); x is finite and not 0. */
static uint64_t split(double x, int *exponent) {
    uint64_t bits = bits_of(x) & ~(1ull << 63), mantissa = bits & ((1ull << 52) - 1);
    *exponent = (int)(bits >> 52);
    if (*exponent) mantissa |= 1ull << 52;
    else *exponent = 1;
    int shift = __builtin_clzll(mantissa) - 11;
    *exponent -= shift + 1075;
    return mantissa << shift;
}

static Wide multiply(uint64_t x, uint64_t y) {
    uint64_t x0 = (uint32_t)x, x1 = x >> 32, y0 = (uint32_t)y, y1 = y >> 32;
    uint64_t middle = x1 * y0 + (x0 * y0 >> 32), other = x0 * y1 + (uint32_t)middle;
    return (Wide){x1 * y1 + (middle >> 32) + (other >> 32), other << 32 | (uint32_t)(x0 * y0)};
}

static Wide shift_left(Wide a, int by) { /* by: 1 to 63 */
    return (Wide){a.high << by | a.low >> (64 - by), a.low << by};
}

static Wide shift_right_sticky(Wide a, int by) {
    if (by == 0) return a;
    if (by >= 128) return (Wide){0, (a.high | a.low) != 0};
    if (by >= 64) {
        uint64_t lost = a.low | (by > 64 ? a.high << (128 - by) : 0);
        return (Wide){0, a.high >> (by - 64) | (lost != 0)};
    }
    return (Wide){a.high >> by, a.high << (64 - by) | a.low >> by | (a.low << (64 - by) != 0)};
}

static int is_less(Wide a, Wide b) { return a.high != b.high ? a.high < b.high : a.low < b.low; }
static Wide add(Wide a, Wide b) { return (Wide){a.high + b.high + (a.low + b.low < a.low), a.low + b.low}; }
static Wide subtract(Wide a, Wide b) { return (Wide){a.high - b.high - (a.low < b.low), a.low - b.low}; }

/* The double nearest to a * 2^exponent, a not 0. */
static double round_wide(Wide a, int exponent, uint64_t sign) {
    int zeros = a.high ? __builtin_clzll(a.high) : 64 + __builtin_clzll(a.low);
    /* The leading 63 bits and a sticky bit among them. */
    uint64_t leading;
    if (zeros >= 65) {
        leading = a.low << (zeros - 65);
        exponent -= zeros - 65;
    } else {
        leading = shift_right_sticky(a, 65 - zeros).low;
        exponent += 65 - zeros;
    }
    int top = exponent + 62; /* |result| is in [2^top, 2^(top + 1)) */
    if (top > 1023) return from_bits(sign | 0x7ffull << 52);
    int dropped = top >= -1022 ? 10 : 10 - 1022 - top; /* of 63 bits, so that 53 stay, or fewer if subnormal */
    if (dropped > 63) return from_bits(sign);
    uint64_t kept = leading >> dropped, rest = leading & ((1ull << dropped) - 1), half = 1ull << (dropped - 1);
    kept += rest > half || (rest == half && (kept & 1));
    /* A carry goes into the exponent, as it should. */
    return from_bits(sign | (top >= -1022 ? ((uint64_t)(top + 1022) << 52) + kept : kept));
}

double fma(double x, double y, double z) {
    if (!isfinite(x) || !isfinite(y) || x == 0 || y == 0) return x * y + z;
    if (!isfinite(z)) return z; /* whatever x * y rounds to */
    if (z == 0) return x * y;
    int x_exponent, y_exponent, z_exponent;
    uint64_t x_mantissa = split(x, &x_exponent), y_mantissa = split(y, &y_exponent), z_mantissa = split(z, &z_exponent);
    /* Both below 2^126. */
    Wide product = shift_left(multiply(x_mantissa, y_mantissa), 20), addend = {z_mantissa << 9, 0};
    int exponent = x_exponent + y_exponent - 20;
    z_exponent -= 73;
    if (exponent >= z_exponent) addend = shift_right_sticky(addend, exponent - z_exponent);
    else {
        product = shift_right_sticky(product, z_exponent - exponent);
        exponent = z_exponent;
    }
    uint64_t top_bit = 1ull << 63, sign = (bits_of(x) ^ bits_of(y)) & top_bit;
    if (sign == (bits_of(z) & top_bit)) return round_wide(add(product, addend), exponent, sign);
    if (is_less(product, addend)) return round_wide(subtract(addend, product), exponent, sign ^ top_bit);
    Wide rest = subtract(product, addend);
    return rest.high | rest.low ? round_wide(rest, exponent, sign) : 0.0;
}

float fmaf(float x, float y, float z) {
    double product = (double)x * y, sum = product + z;
    if (!isfinite(sum)) return (float)sum;
    /* What the sum has lost (Knuth's TwoSum). */
    double part = sum - product, lost = (product - (sum - part)) + (z - part);
    uint64_t bits = bits_of(sum);
    if (lost != 0 && !(bits & 1)) /* to odd: the neighbour on the side of what was lost */
        sum = from_bits((lost > 0) == (sum > 0) ? bits + 1 : bits - 1);
    return (float)sum;
}

long double fmal(long double x, long double y, long double z) { return fma(x, y, z); }
