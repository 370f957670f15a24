/* pair_float.h: doubles as unevaluated sums of two floats, for --double=pair: 45 bits and more of the 53.
 *
 * The paper's "native pairs" (Section II.C), where they pay: products, quotients and roots. Programs look at the bits
 * of doubles, printf does, so in registers and memory a double stays what IEEE 754 says; each operation takes it apart,
 * computes with two floats between 1 and 4, and puts the result together again. The exponent is kept apart as an
 * integer, so the range is that of double. Sums are those of soft_float.h, which then are exact and no slower; so are
 * comparisons, conversions, and operations on zeros, denormals, infinities and NaNs.
 *
 * The algorithms are T. J. Dekker's, "A floating-point technique for extending the available precision", 1971. They
 * need floats that round to nearest, and no fused multiply-add.
 */
#ifdef MOG_DOUBLE_PAIR
typedef struct { f32 high, low; } FloatPair;

/* a + b and its error; |a| >= |b|. */
FUNCTION FloatPair pair_sum_ordered(f32 a, f32 b)
{
    FloatPair s;
    s.high = a + b;
    s.low = b - (s.high - a);
    return s;
}

/* a * b and its error: each factor is split into two halves of 12 bits, whose products are exact. */
FUNCTION FloatPair pair_product(f32 a, f32 b)
{
    FloatPair p;
    f32 ta = 4097.0f * a, tb = 4097.0f * b;
    f32 a1 = ta - (ta - a), b1 = tb - (tb - b), a0 = a - a1, b0 = b - b1;
    p.high = a * b;
    p.low = ((a1 * b1 - p.high) + a1 * b0 + a0 * b1) + a0 * b0;
    return p;
}

/* A significand, 1 <= x < 2, as the nearest float and the nearest float to the rest. */
FUNCTION FloatPair pair_of(u64 significand)
{
    FloatPair x;
    u64 m = significand >> 10;  /* of 53 bits */
    u32 high = (u32)((m + 0x10000000ul) >> 29);
    x.high = (f32)high * 0x1p-23f;
    x.low = (f32)(i32)((u32)m - (high << 29)) * 0x1p-52f;
    return x;
}

/* x * 2^exponent as a double; 1/4 <= x < 4 and |low| is at most half a unit of the last place of high. */
FUNCTION u64 pair_pack(u32 sign, i32 exponent, FloatPair x, Fpu *fpu)
{
    u64 sum = ((u64)(u32)(x.high * 0x1p25f) << 35) + ((u64)(i64)(i32)(x.low * 0x1p53f) << 7);
    u32 shift = soft_leading_zeros(sum) - 1u;
    return soft_pack(sign, exponent + 2 - (i32)shift, sum << shift, 52u, fpu);
}

/* Neither zero nor denormal, infinite or NaN. */
FUNCTION u32 pair_is_normal(u64 a)
{
    u32 exponent = (u32)(a >> 52) & 0x7ffu;
    return (u32)(exponent - 1u < 0x7feu);
}

FUNCTION u64 pair_multiply(u64 a, u64 b, Fpu *fpu)
{
    Unpacked x, y;
    FloatPair p, q, product;
    if (!pair_is_normal(a) || !pair_is_normal(b)) return soft_multiply(a, b, 52u, fpu);
    x = soft_unpack(a, 52u);
    y = soft_unpack(b, 52u);
    p = pair_of(x.significand);
    q = pair_of(y.significand);
    product = pair_product(p.high, q.high);
    product = pair_sum_ordered(product.high, product.low + (p.high * q.low + p.low * q.high));
    return pair_pack(x.sign ^ y.sign, x.exponent + y.exponent - 1023, product, fpu);
}

FUNCTION u64 pair_divide(u64 a, u64 b, Fpu *fpu)
{
    Unpacked x, y;
    FloatPair p, q, back;
    f32 first, rest;
    if (!pair_is_normal(a) || !pair_is_normal(b)) return soft_divide(a, b, 52u, fpu);
    x = soft_unpack(a, 52u);
    y = soft_unpack(b, 52u);
    p = pair_of(x.significand);
    q = pair_of(y.significand);
    first = p.high / q.high;
    back = pair_product(first, q.high);
    rest = ((p.high - back.high) - back.low) + (p.low - first * q.low);
    return pair_pack(x.sign ^ y.sign, x.exponent - y.exponent + 1023, pair_sum_ordered(first, rest / q.high), fpu);
}

FUNCTION u64 pair_root(u64 a, Fpu *fpu)
{
    Unpacked x;
    FloatPair p, back;
    f32 first, rest;
    u32 odd;
    if (!pair_is_normal(a) || a >> 63 != 0ul) return soft_root(a, 52u, fpu);
    x = soft_unpack(a, 52u);
    odd = (u32)(x.exponent - 1023) & 1u;
    p = pair_of(x.significand);
    if (odd != 0u) {
        p.high *= 2.0f;
        p.low *= 2.0f;
    }
    first = SQRTF(p.high);
    back = pair_product(first, first);
    rest = ((p.high - back.high) - back.low) + p.low;
    return pair_pack(0u, (x.exponent - 1023 - (i32)odd) / 2 + 1023, pair_sum_ordered(first, rest / (first + first)),
                     fpu);
}
#endif
