/* math_trig.h: circular functions and their inverses. */
#pragma once

#include "mog_cuda/math_base.h"

namespace mog_cuda {

/// 2/pi in words of 64 bits, enough for all exponents of doubles; what is before the point first.
MOG_CUDA_TABLE unsigned long long two_over_pi[21] = {0,
                                                     0xa2f9836e4e441529ull,
                                                     0xfc2757d1f534ddc0ull,
                                                     0xdb6295993c439041ull,
                                                     0xfe5163abdebbc561ull,
                                                     0xb7246e3a424dd2e0ull,
                                                     0x06492eea09d1921cull,
                                                     0xfe1deb1cb129a73eull,
                                                     0xe88235f52ebb4484ull,
                                                     0xe99c7026b45f7e41ull,
                                                     0x3991d639835339f4ull,
                                                     0x9c845f8bbdf9283bull,
                                                     0x1ff897ffde05980full,
                                                     0xef2f118b5a0a6d1full,
                                                     0x6d367ecf27cb09b7ull,
                                                     0x4f463f669e5fea2dull,
                                                     0x7527bac7ebe5f17bull,
                                                     0x3d0739f78a5292eaull,
                                                     0x6bfb5fb11f8d5d08ull,
                                                     0x56033046fc7b6babull,
                                                     0xf0cfbc209af4361dull};

MOG_CUDA_MATH unsigned long long high_product(unsigned long long a, unsigned long long b) {
#ifdef __CUDA__
    return __nvvm_mulhi_ull(a, b);
#else
    __extension__ typedef unsigned __int128 Wide;
    return (unsigned long long)((Wide)a * b >> 64);
#endif
}

/// x less the multiple of pi/2 that is nearest to it, and which that is (the last two bits), by the bits of 2/pi that
/// matter (Payne and Hanek). For |x| >= 2^1.
MOG_CUDA_MATH __attribute__((noinline)) Pair reduce_large(double x, int &quadrant) {
    int exponent;
    const double m = mantissa(absolute(x), exponent);
    const unsigned long long whole = (bits_of(m) & 0xfffffffffffffull) | 0x10000000000000ull;  // |x| = whole 2^(exponent - 52)
    // Bits of 2/pi whose products are multiples of 4 do not matter: begin with bit exponent - 52 - 2 after the point.
    const int begin = exponent - 54 + 64, word = begin >> 6, shift = begin & 63;
    unsigned long long part[3];
    for (int i = 0; i < 3; i++)
        part[i] = shift ? two_over_pi[word + i] << shift | two_over_pi[word + i + 1] >> (64 - shift) : two_over_pi[word + i];
    // The product's last 192 bits, of which the first two are whole quadrants.
    unsigned long long top = whole * part[0], middle = whole * part[1], low = high_product(whole, part[2]);
    top += high_product(whole, part[1]);
    middle += low;
    if (middle < low) top++;
    low = whole * part[2];
    quadrant = (int)(top >> 62);
    unsigned long long first = top << 2 | middle >> 62, second = middle << 2 | low >> 62;
    bool negative = false;
    if (first >> 63) {  // more than half of a quadrant: count from the next
        quadrant++;
        negative = true;
        second = 0 - second;
        first = ~first + (second == 0);
    }
    // The fraction, of 128 bits, as a pair.
    const int zeros = first ? __builtin_clzll(first) : 64 + (second ? __builtin_clzll(second) : 0);
    if (zeros >= 64) first = second << (zeros - 64), second = 0;
    else if (zeros) first = first << zeros | second >> (64 - zeros), second <<= zeros;
    const double high = (double)(first >> 11), rest = (double)((first << 53) >> 11);
    Pair fraction = quick_sum(high * 0x1p-53, rest * 0x1p-106);
    fraction.high *= power_of_two(-zeros);
    fraction.low *= power_of_two(-zeros);
    Pair reduced = product(fraction, Pair{0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54});
    if (negative) reduced = {-reduced.high, -reduced.low};
    if (x < 0) {
        reduced = {-reduced.high, -reduced.low};
        quadrant = -quadrant;
    }
    return reduced;
}

MOG_CUDA_MATH Pair reduce(double x, int &quadrant) {
    if (absolute(x) > 0x1p19) return reduce_large(x, quadrant);
    const double k = nearest(x * 0x1.45f306dc9c883p-1);
    quadrant = (int)k;
    const Pair high = product(k, 0x1.921fb54442d18p+0), second = product(k, 0x1.1a62633145c07p-54);
    const Pair a = sum(x - high.high, -high.low);  // x - k pi/2: the difference is exact, for both are near each other
    const Pair b = sum(a.high, -second.high);
    return quick_sum(b.high, b.low + (a.low - second.low - k * -0x1.f1976b7ed8fbcp-110));
}

/// sin and cos of |r| < 0.79.
MOG_CUDA_MATH double sin_reduced(Pair r) {
    constexpr double c[] = {-1.0 / 6,        1.0 / 120,        -1.0 / 5040,          1.0 / 362880,
                            -1.0 / 39916800, 1.0 / 6227020800, -1.0 / 1307674368000, 1.0 / 355687428096000};
    const double z = r.high * r.high;
    const double rest = z * r.high * polynomial(c, z);
    return r.high + (rest + r.low * (1 - 0.5 * z));
}
MOG_CUDA_MATH double cos_reduced(Pair r) {
    constexpr double c[] = {1.0 / 24, -1.0 / 720, 1.0 / 40320, -1.0 / 3628800, 1.0 / 479001600, -1.0 / 87178291200, 1.0 / 20922789888000};
    const double z = r.high * r.high, half = 0.5 * z, one = 1 - half;
    return one + (((1 - one) - half) + (z * z * polynomial(c, z) - r.high * r.low));
}

MOG_CUDA_MATH void sincos_of(Pair r, int quadrant, double &sine, double &cosine) {
    const double s = sin_reduced(r), c = cos_reduced(r);
    const double first = quadrant & 1 ? c : s, second = quadrant & 1 ? s : c;
    sine = quadrant & 2 ? -first : first;
    cosine = (quadrant + 1) & 2 ? -second : second;
}

MOG_CUDA_MATH void sincos(double x, double &sine, double &cosine) {
    if (!(absolute(x) < infinity())) {
        sine = cosine = x - x;
        return;
    }
    int quadrant;
    const Pair r = reduce(x, quadrant);
    sincos_of(r, quadrant, sine, cosine);
    if (x == 0) sine = x;
}
MOG_CUDA_MATH double sin(double x) {
    if (!(absolute(x) < infinity())) return x - x;
    if (x == 0) return x;
    int quadrant;
    const Pair r = reduce(x, quadrant);
    const double value = quadrant & 1 ? cos_reduced(r) : sin_reduced(r);
    return quadrant & 2 ? -value : value;
}
MOG_CUDA_MATH double cos(double x) {
    if (!(absolute(x) < infinity())) return x - x;
    int quadrant;
    const Pair r = reduce(x, quadrant);
    const double value = quadrant & 1 ? sin_reduced(r) : cos_reduced(r);
    return (quadrant + 1) & 2 ? -value : value;
}
MOG_CUDA_MATH double tan(double x) {
    if (!(absolute(x) < infinity())) return x - x;
    if (x == 0) return x;
    int quadrant;
    const Pair r = reduce(x, quadrant);
    const double s = sin_reduced(r), c = cos_reduced(r);
    return quadrant & 1 ? -(c / s) : s / c;
}

/// sin and cos of pi x.
MOG_CUDA_MATH void sincospi(double x, double &sine, double &cosine) {
    if (!(absolute(x) < infinity())) {
        sine = cosine = x - x;
        return;
    }
    double part = x;
    int quadrant = 0;
    if (absolute(x) >= 0x1p53) {
        part = 0;
    } else {
        part = absolute(x) >= 0x1p50 ? x - 2 * __builtin_trunc(x * 0.5) : x - 2 * nearest(x * 0.5);
        const double k = nearest(2 * part);
        quadrant = (int)k;
        part -= 0.5 * k;
    }
    const Pair r = product(Pair{0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53}, part);
    sincos_of(r, quadrant, sine, cosine);
    if (sine == 0) sine = with_sign(0, x);
    if (cosine == 0) cosine = 0;
}
MOG_CUDA_MATH double sinpi(double x) {
    double sine, cosine;
    sincospi(x, sine, cosine);
    return sine;
}
MOG_CUDA_MATH double cospi(double x) {
    double sine, cosine;
    sincospi(x, sine, cosine);
    return cosine;
}

/// (asin(s) - s) / s^3 of z = s^2 <= 1/4, by a fit at Chebyshev's points.
MOG_CUDA_MATH double asin_rest(double z) {
    constexpr double c[] = {0x1.5555555555556p-3, 0x1.3333333332ecap-4,  0x1.6db6db6e31f13p-5, 0x1.f1c71c1db0623p-6, 0x1.6e8bb1c8209a2p-6,
                            0x1.1c4d35cf95421p-6, 0x1.c9cf07674736ap-7,  0x1.782651caa6547p-7, 0x1.52420b04b37bep-7, 0x1.65a9c4dfcf8b2p-8,
                            0x1.1d189408314eep-6, -0x1.e6aaa8a0a04ccp-7, 0x1.d72b2bc8155f8p-6};
    return polynomial(c, z);
}
constexpr double half_pi = 0x1.921fb54442d18p+0, half_pi_low = 0x1.1a62633145c07p-54;

MOG_CUDA_MATH double asin(double x) {
    const double size = absolute(x);
    if (!(size <= 1)) return not_a_number();
    if (size < 0.5) return size < 0x1p-27 ? x : x + x * (x * x) * asin_rest(x * x);
    if (size == 1) return with_sign(half_pi, x);
    const double z = 0.5 * (1 - size), root = __builtin_sqrt(z), low = fma(-root, root, z) / (2 * root);
    const Pair all = sum(half_pi, -2 * root);
    return with_sign(all.high + (all.low + (half_pi_low - 2 * (low + root * z * asin_rest(z)))), x);
}
MOG_CUDA_MATH double acos(double x) {
    const double size = absolute(x);
    if (!(size <= 1)) return not_a_number();
    if (size < 0.5) {
        const Pair all = sum(half_pi, -x);
        return all.high + (all.low + (half_pi_low - x * (x * x) * asin_rest(x * x)));
    }
    const double z = 0.5 * (1 - size);
    if (z == 0) return x > 0 ? 0 : 0x1.921fb54442d18p+1;
    const double root = __builtin_sqrt(z), low = fma(-root, root, z) / (2 * root);
    const double rest = low + root * z * asin_rest(z);
    if (x > 0) return 2 * (root + rest);
    const Pair all = sum(2 * half_pi, -2 * root);
    return all.high + (all.low + (2 * half_pi_low - 2 * rest));
}

/// (atan(s) - s) / s^3 of z = s^2, |s| <= 7/16.
MOG_CUDA_MATH double atan_rest(double z) {
    constexpr double c[] = {-0x1.5555555555555p-2, 0x1.99999999998c5p-3, -0x1.2492492485503p-3, 0x1.c71c71bd2b8bcp-4,
                            -0x1.745d154c84f7ap-4, 0x1.3b1375ce5bdc6p-4, -0x1.110c9ce7b0572p-4, 0x1.e170800a46210p-5,
                            -0x1.ab59b417b2d3fp-5, 0x1.7001816fd063fp-5, -0x1.0f62bba6a2558p-5, 0x1.e4167464d3de8p-7};
    return polynomial(c, z);
}
/// atan of top / bottom, both positive; what the quotient loses is kept.
MOG_CUDA_MATH Pair atan_of_quotient(Pair top, Pair bottom) {
    const double ratio = top.high / bottom.high;
    // atan(q) = atan(c) + atan((q - c) / (1 + q c)) with c of 0, 1/2, 1, 3/2, infinity
    double c = 0;
    Pair base = {0, 0};
    if (ratio > 2.4375) c = -1, base = {half_pi, half_pi_low};
    else if (ratio > 1.1875) c = 1.5, base = {0x1.f730bd281f69bp-1, 0x1.007887af0cbbdp-56};
    else if (ratio > 0.6875) c = 1, base = {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55};
    else if (ratio > 0.4375) c = 0.5, base = {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56};
    Pair above = top, below = bottom;
    if (c < 0) {
        above = {-bottom.high, -bottom.low}, below = top;
    } else if (c > 0) {
        above = sum(top, product(bottom, -c)), below = sum(bottom, product(top, c));
    }
    const double s = above.high / below.high;
    const double low = ((fma(-s, below.high, above.high) + above.low) - s * below.low) / below.high;
    const double z = s * s;
    const Pair all = sum(base.high, s);
    return quick_sum(all.high, all.low + (base.low + (low + s * z * atan_rest(z))));
}
MOG_CUDA_MATH double atan(double x) {
    const double size = absolute(x);
    if (x != x || size < 0x1p-27) return x;
    if (size > 0x1p60) return with_sign(half_pi, x);
    const Pair value = atan_of_quotient({size, 0}, {1, 0});
    return with_sign(value.high + value.low, x);
}
MOG_CUDA_MATH double atan2(double y, double x) {
    if (x != x || y != y) return x + y;
    const double pi = 2 * half_pi, above = absolute(y), beside = absolute(x);
    const bool left = bits_of(x) >> 63;
    if (above == 0) return with_sign(left ? pi : 0, y);
    if (beside == 0) return with_sign(half_pi, y);
    if (above == infinity()) return with_sign(beside == infinity() ? (left ? 0x1.2d97c7f3321d2p+1 : half_pi * 0.5) : half_pi, y);
    if (beside == infinity()) return with_sign(left ? pi : 0, y);
    int e = 0, f = 0;
    const double top = mantissa(above, e), bottom = mantissa(beside, f);
    const int apart = e - f;
    if (apart > 60) return with_sign(half_pi, y);
    if (apart < -60) return with_sign(left ? pi : scale(top / bottom, apart), y);
    Pair value = atan_of_quotient({top * power_of_two(apart), 0}, {bottom, 0});
    if (left) value = sum(Pair{pi, 2 * half_pi_low}, Pair{-value.high, -value.low});
    return with_sign(value.high + value.low, y);
}

}  // namespace mog_cuda
