/* soft_float.h: IEEE 754 arithmetic in integers: all four roundings, all five exceptions, MIPS's NaNs.
 *
 * For devices that lack fp64, denormals or correct division, for --double=soft, and for programs that read or write
 * the FPU's control register. One body serves both formats: a function takes and gives bit patterns in a u64, and f,
 * the number of fraction bits, 23 or 52, which is a constant wherever it is called from.
 *
 * A finite number is taken apart into sign, biased exponent and a significand whose leading one is bit 62; what is
 * shifted out at the right stays as a one in bit 0 ("sticky"), which is all that rounding wants to know of it.
 */
#ifdef MOG_SOFT_FLOAT

/* Exceptions, in the order of FCSR's fields. */
#define MOG_FP_INEXACT 1u
#define MOG_FP_UNDERFLOW 2u
#define MOG_FP_OVERFLOW 4u
#define MOG_FP_DIVIDE 8u
#define MOG_FP_INVALID 16u
/* Roundings, as FCSR counts them. */
#define MOG_FP_NEAREST 0u
#define MOG_FP_ZERO 1u
#define MOG_FP_UP 2u
#define MOG_FP_DOWN 3u

typedef struct {
    u32 rounding;
    u32 flush;   /* results too small to be normal become zero */
    u32 raised;  /* exceptions of the operation */
} Fpu;

typedef struct {
    u32 sign;
    i32 exponent;     /* biased; below 1 where a denormal was normalised */
    u64 significand;  /* 0, or its leading one is bit 62 */
} Unpacked;

#define SOFT_SIGN(f) ((f) == 23u ? 0x80000000ul : 0x8000000000000000ul)
#define SOFT_INFINITY(f) ((f) == 23u ? 0x7f800000ul : 0x7ff0000000000000ul)
#define SOFT_NAN(f) ((f) == 23u ? 0x7fbffffful : 0x7ff7fffffffffffful)
#define SOFT_TOP(f) ((f) == 23u ? 255 : 2047)   /* the exponent of infinities and NaNs */
#define SOFT_BIAS(f) ((f) == 23u ? 127 : 1023)
#define SOFT_IS_NAN(x, f) (((x) & ~SOFT_SIGN(f)) > SOFT_INFINITY(f))
/* MIPS before NaN2008: the top fraction bit marks a signalling NaN. */
#define SOFT_SIGNALS(x, f) (SOFT_IS_NAN(x, f) && ((x) >> ((f) - 1u) & 1ul) != 0ul)

FUNCTION u32 soft_leading_zeros(u64 x)
{
    u32 high = (u32)(x >> 32);
    return high != 0u ? CLZ(high) : 32u + CLZ((u32)x);
}

/* x / 2^n, sticky. */
FUNCTION u64 soft_shift(u64 x, u32 n)
{
    if (n == 0u) return x;
    return n < 64u ? (x >> n) | (u64)((x << (64u - n)) != 0ul) : (u64)(x != 0ul);
}

/* The high word of a product, sticky. */
FUNCTION u64 soft_multiply_high(u64 a, u64 b)
{
    u64 a0 = a & 0xfffffffful, a1 = a >> 32, b0 = b & 0xfffffffful, b1 = b >> 32;
    u64 low = a0 * b0, m = a1 * b0 + (low >> 32), n = a0 * b1 + (m & 0xfffffffful);
    return (a1 * b1 + (m >> 32) + (n >> 32)) | (u64)(((n << 32) | (low & 0xfffffffful)) != 0ul);
}

/* x / 2^shift, rounded; x < 2^63, 0 < shift < 63. */
FUNCTION u64 soft_round(u64 x, u32 shift, u32 sign, u32 rounding)
{
    u64 mask = (1ul << shift) - 1ul, middle = 1ul << (shift - 1u);
    u64 up = rounding == MOG_FP_NEAREST ? middle : rounding == MOG_FP_UP + sign ? mask : 0ul;
    u64 rounded = (x + up) >> shift;
    return rounding == MOG_FP_NEAREST && (x & mask) == middle ? rounded & ~1ul : rounded;
}

FUNCTION Unpacked soft_unpack(u64 x, u32 f)
{
    Unpacked n;
    u64 fraction = x & ((1ul << f) - 1ul);
    n.sign = (u32)((x & SOFT_SIGN(f)) != 0ul);
    n.exponent = (i32)((u32)(x >> f) & (u32)SOFT_TOP(f));
    n.significand = fraction << (62u - f);
    if (n.exponent != 0) {
        n.significand |= 1ul << 62;
    } else if (fraction != 0ul) {
        u32 shift = soft_leading_zeros(n.significand) - 1u;
        n.significand <<= shift;
        n.exponent = 1 - (i32)shift;
    }
    return n;
}

/* Rounds to the format. Tiny is what is below the least normal number after rounding, as qemu has it. */
FUNCTION u64 soft_pack(u32 sign, i32 exponent, u64 significand, u32 f, Fpu *fpu)
{
    u32 shift = 62u - f, tiny = 0u;
    u64 bits = SOFT_INFINITY(f), negative = sign != 0u ? SOFT_SIGN(f) : 0ul;
    if (exponent <= 0) {
        if (fpu->flush != 0u) return negative;  /* without a word: so does qemu */
        tiny = exponent < 0 || soft_round(significand, shift, sign, fpu->rounding) >> (f + 1u) == 0ul ? MOG_FP_UNDERFLOW
                                                                                                      : 0u;
        significand = soft_shift(significand, (u32)(1 - exponent));
        exponent = 1;
    }
    if (exponent < SOFT_TOP(f))  /* the leading one counts, or else is missing in, the exponent */
        bits = ((u64)(exponent - 1) << f) + soft_round(significand, shift, sign, fpu->rounding);
    if (bits >= SOFT_INFINITY(f)) {
        fpu->raised |= MOG_FP_OVERFLOW | MOG_FP_INEXACT;
        bits = SOFT_INFINITY(f) - (fpu->rounding == MOG_FP_NEAREST || fpu->rounding == MOG_FP_UP + sign ? 0ul : 1ul);
    } else if ((significand & ((1ul << shift) - 1ul)) != 0ul) {
        fpu->raised |= MOG_FP_INEXACT | tiny;
    }
    return negative | bits;
}

FUNCTION u64 soft_invalid(u32 f, Fpu *fpu)
{
    fpu->raised |= MOG_FP_INVALID;
    return SOFT_NAN(f);
}

/* The NaN that comes of an operation on one; only signalling ones raise an exception. */
FUNCTION u64 soft_nan_of(u64 a, u64 b, u32 f, Fpu *fpu)
{
    if (SOFT_SIGNALS(a, f) || SOFT_SIGNALS(b, f)) fpu->raised |= MOG_FP_INVALID;
    return SOFT_NAN(f);
}

FUNCTION u64 soft_add(u64 a, u64 b, u32 f, Fpu *fpu)
{
    Unpacked x, y;
    u64 sum;
    u32 shift;
    if (SOFT_IS_NAN(a, f) || SOFT_IS_NAN(b, f)) return soft_nan_of(a, b, f, fpu);
    if ((a & ~SOFT_SIGN(f)) < (b & ~SOFT_SIGN(f))) { u64 larger = b; b = a; a = larger; }
    if ((a & ~SOFT_SIGN(f)) == SOFT_INFINITY(f)) return (a ^ b) == SOFT_SIGN(f) ? soft_invalid(f, fpu) : a;
    x = soft_unpack(a, f);
    y = soft_unpack(b, f);
    if (x.significand == 0ul) return x.sign == y.sign ? a : fpu->rounding == MOG_FP_DOWN ? SOFT_SIGN(f) : 0ul;
    if (y.significand == 0ul) y.exponent = x.exponent;
    y.significand = soft_shift(y.significand, (u32)(x.exponent - y.exponent));
    if (x.sign == y.sign) {
        sum = x.significand + y.significand;
        if (sum >> 63 == 0ul) return soft_pack(x.sign, x.exponent, sum, f, fpu);
        return soft_pack(x.sign, x.exponent + 1, soft_shift(sum, 1u), f, fpu);
    }
    sum = x.significand - y.significand;
    if (sum == 0ul) return fpu->rounding == MOG_FP_DOWN ? SOFT_SIGN(f) : 0ul;
    shift = soft_leading_zeros(sum) - 1u;
    return soft_pack(x.sign, x.exponent - (i32)shift, sum << shift, f, fpu);
}

FUNCTION u64 soft_multiply(u64 a, u64 b, u32 f, Fpu *fpu)
{
    Unpacked x = soft_unpack(a, f), y = soft_unpack(b, f);
    u64 sign = (a ^ b) & SOFT_SIGN(f), product;
    i32 exponent = x.exponent + y.exponent - SOFT_BIAS(f);
    if (SOFT_IS_NAN(a, f) || SOFT_IS_NAN(b, f)) return soft_nan_of(a, b, f, fpu);
    if (x.exponent == SOFT_TOP(f) || y.exponent == SOFT_TOP(f))
        return x.significand == 0ul || y.significand == 0ul ? soft_invalid(f, fpu) : sign | SOFT_INFINITY(f);
    if (x.significand == 0ul || y.significand == 0ul) return sign;
    /* A float's significand has but 24 bits. */
    if (f == 23u) product = ((x.significand >> 32) * (y.significand >> 32)) << 1;
    else product = soft_multiply_high(x.significand << 1, y.significand);
    if (product >> 62 != 0ul) return soft_pack((u32)(sign != 0ul), exponent + 1, product, f, fpu);
    return soft_pack((u32)(sign != 0ul), exponent, product << 1, f, fpu);
}

/* 32 more digits of a quotient: the remainder r < d and d, its leading one in bit 63. Gives the digits, leaves the next
 * remainder. Knuth, The Art of Computer Programming 2, 4.3.1, algorithm D, for a divisor of two digits. */
FUNCTION u64 soft_digits(u64 *r, u64 d)
{
    u64 d1 = d >> 32, d0 = d & 0xfffffffful, q = *r / d1, rest = *r - q * d1;
    while (rest >> 32 == 0ul && (q >> 32 != 0ul || q * d0 > rest << 32)) {
        q -= 1ul;
        rest += d1;
    }
    *r = (*r << 32) - q * d;
    return q;
}

FUNCTION u64 soft_divide(u64 a, u64 b, u32 f, Fpu *fpu)
{
    Unpacked x = soft_unpack(a, f), y = soft_unpack(b, f);
    u64 sign = (a ^ b) & SOFT_SIGN(f), quotient, rest;
    i32 exponent = x.exponent - y.exponent + SOFT_BIAS(f);
    if (SOFT_IS_NAN(a, f) || SOFT_IS_NAN(b, f)) return soft_nan_of(a, b, f, fpu);
    if (x.exponent == SOFT_TOP(f)) return y.exponent == SOFT_TOP(f) ? soft_invalid(f, fpu) : sign | SOFT_INFINITY(f);
    if (y.exponent == SOFT_TOP(f)) return sign;
    if (y.significand == 0ul) {
        if (x.significand == 0ul) return soft_invalid(f, fpu);
        fpu->raised |= MOG_FP_DIVIDE;
        return sign | SOFT_INFINITY(f);
    }
    if (x.significand == 0ul) return sign;
    if (f == 23u) {
        u64 divisor = y.significand >> 39;  /* 24 bits */
        quotient = x.significand / divisor;
        rest = x.significand - quotient * divisor;
        quotient <<= 24;  /* from 2^39 to 2^63 for the quotient 1 */
    } else {
        rest = x.significand;
        quotient = soft_digits(&rest, y.significand << 1) << 32;
        quotient |= soft_digits(&rest, y.significand << 1);
    }
    if (quotient >> 63 == 0ul)
        return soft_pack((u32)(sign != 0ul), exponent - 1, quotient | (u64)(rest != 0ul), f, fpu);
    return soft_pack((u32)(sign != 0ul), exponent, soft_shift(quotient, 1u) | (u64)(rest != 0ul), f, fpu);
}

/* Bit by bit: q is the root so far, r = 2^i (x - q^2), and a bit b = 2^-i belongs to it where 2q + b <= r. */
FUNCTION u64 soft_root(u64 a, u32 f, Fpu *fpu)
{
    Unpacked x = soft_unpack(a, f);
    u64 q = 0ul, r, b = 1ul << 60;
    u32 i, odd;
    if (SOFT_IS_NAN(a, f)) return soft_nan_of(a, a, f, fpu);
    if (x.significand == 0ul) return a;
    if (x.sign != 0u) return soft_invalid(f, fpu);
    if (x.exponent == SOFT_TOP(f)) return a;
    odd = (u32)(x.exponent - SOFT_BIAS(f)) & 1u;
    r = x.significand >> (2u - odd);  /* 1 is 2^60, 1 <= r < 4; no digit is lost */
    for (i = 0u; i < f + 3u; i++) {
        u64 trial = 2ul * q + b;
        if (trial <= r) {
            r -= trial;
            q += b;
        }
        r <<= 1;
        b >>= 1;
    }
    return soft_pack(0u, (x.exponent - SOFT_BIAS(f) - (i32)odd) / 2 + SOFT_BIAS(f), (q << 2) | (u64)(r != 0ul), f, fpu);
}

#define SOFT_LESS 1u
#define SOFT_EQUAL 2u
#define SOFT_UNORDERED 4u
/* One of the three above, or 0: greater. */
FUNCTION u32 soft_compare(u64 a, u64 b, u32 f, u32 signalling, Fpu *fpu)
{
    if (SOFT_IS_NAN(a, f) || SOFT_IS_NAN(b, f)) {
        if (signalling != 0u || SOFT_SIGNALS(a, f) || SOFT_SIGNALS(b, f)) fpu->raised |= MOG_FP_INVALID;
        return SOFT_UNORDERED;
    }
    if (a == b || ((a | b) & ~SOFT_SIGN(f)) == 0ul) return SOFT_EQUAL;
    if (((a ^ b) & SOFT_SIGN(f)) != 0ul) return (a & SOFT_SIGN(f)) != 0ul ? SOFT_LESS : 0u;
    return (a < b) == ((a & SOFT_SIGN(f)) == 0ul) ? SOFT_LESS : 0u;
}

/* A signed integer; what has none becomes 0x7fffffff. */
FUNCTION u32 soft_to_integer(u64 a, u32 f, u32 rounding, Fpu *fpu)
{
    Unpacked x = soft_unpack(a, f);
    i32 power = x.exponent - SOFT_BIAS(f);
    u64 whole = ~0ul;
    if (!SOFT_IS_NAN(a, f) && power <= 31) {
        x.significand = soft_shift(x.significand, power < -32 ? 63u : (u32)(32 - power));  /* a number of 2^-30 */
        whole = soft_round(x.significand, 30u, x.sign, rounding);
    }
    if (whole > 0x7ffffffful + (u64)x.sign) {
        fpu->raised |= MOG_FP_INVALID;
        return 0x7fffffffu;
    }
    if ((x.significand & 0x3ffffffful) != 0ul) fpu->raised |= MOG_FP_INEXACT;
    return x.sign != 0u ? 0u - (u32)whole : (u32)whole;
}

FUNCTION u64 soft_from_integer(u32 sign, u32 magnitude, u32 f, Fpu *fpu)
{
    u32 shift = CLZ(magnitude);
    if (magnitude == 0u) return 0ul;
    return soft_pack(sign, SOFT_BIAS(f) + 31 - (i32)shift, ((u64)magnitude << shift) << 31, f, fpu);
}
#define SOFT_FROM_SIGNED(x, f, fpu) soft_from_integer((x) >> 31, (x) >> 31 ? 0u - (x) : (x), f, fpu)

/* From a format with f fraction bits to one with g. */
FUNCTION u64 soft_convert(u64 a, u32 f, u32 g, Fpu *fpu)
{
    Unpacked x = soft_unpack(a, f);
    u64 sign = x.sign != 0u ? SOFT_SIGN(g) : 0ul;
    if (SOFT_IS_NAN(a, f)) {
        soft_nan_of(a, a, f, fpu);
        return SOFT_NAN(g);
    }
    if (x.exponent == SOFT_TOP(f)) return sign | SOFT_INFINITY(g);
    if (x.significand == 0ul) return sign;
    return soft_pack(x.sign, x.exponent - SOFT_BIAS(f) + SOFT_BIAS(g), x.significand, g, fpu);
}
#endif
