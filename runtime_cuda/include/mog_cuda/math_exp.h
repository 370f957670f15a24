/* math_exp.h: exponentials, logarithms, powers and what is made of them. */
#pragma once

#include "mog_cuda/math_base.h"

namespace mog_cuda {

constexpr double ln2_high = 0x1.62e42fefa39efp-1, ln2_low = 0x1.abc9e3b39803fp-56;
/// The first part has 21 bits, so that its products with exponents are exact.
constexpr double ln2_first = 0x1.62e4200000000p-1, ln2_second = 0x1.fdf473de6af28p-22, ln2_third = -0x1.c4c67fc0d0951p-76;

/// (e^r - 1 - r) / r^2 for |r| < 0.35: the series.
MOG_CUDA_MATH double exp_series(double r) {
    constexpr double c[] = {1.0 / 2,     1.0 / 6,      1.0 / 24,      1.0 / 120,      1.0 / 720,       1.0 / 5040,
                            1.0 / 40320, 1.0 / 362880, 1.0 / 3628800, 1.0 / 39916800, 1.0 / 479001600, 1.0 / 6227020800};
    return polynomial(c, r);
}

/// e^(r + low) 2^k for |r| < 0.35 and a small low.
MOG_CUDA_MATH double exp_reduced(double r, double low, double k) {
    const double rest = fma(r * r, exp_series(r), fma(low, r, low));
    const double one = 1 + r;
    return scale(one + ((r - (one - 1)) + rest), (int)k);
}

/// e^(x.high + x.low) / 2^less
MOG_CUDA_MATH double exp(Pair x, double less = 0) {
    if (!(x.high < 711)) return x.high != x.high ? x.high : infinity();
    if (x.high < -746) return 0;
    const double k = nearest(x.high * 0x1.71547652b82fep+0);
    const double exact = fma(-k, ln2_first, x.high);
    const Pair most = sum(exact, -k * ln2_second);
    const Pair r = quick_sum(most.high, most.low + fma(-k, ln2_third, fma(-k, ln2_second, k * ln2_second) + x.low));
    return exp_reduced(r.high, r.low, k - less);
}
MOG_CUDA_MATH double exp(double x) { return exp(Pair{x, 0}); }

MOG_CUDA_MATH double exp2(double x) {
    if (!(x < 1025)) return x != x ? x : infinity();
    if (x < -1080) return 0;
    const double k = nearest(x);
    const Pair r = product(Pair{ln2_high, ln2_low}, x - k);
    return exp_reduced(r.high, r.low, k);
}

MOG_CUDA_MATH double exp10(double x) {
    if (!(x < 309)) return x != x ? x : infinity();
    if (x < -325) return 0;
    const double k = nearest(x * 0x1.a934f0979a371p+1);
    const double f = fma(-k, 0x1.34413p-2, x);  // exact: k has 11 bits, the first part of log10(2) 21
    const double rest = -k * 0x1.427de7fbcc47cp-24;
    const Pair r = product(Pair{0x1.26bb1bbb55516p+1, -0x1.f48ad494ea3e9p-53}, sum(f, rest));
    return exp_reduced(r.high, r.low, k);
}

MOG_CUDA_MATH double expm1(double x) {
    if (!(x < 710)) return x != x ? x : infinity();
    if (x < -40) return -1;
    const double k = nearest(x * 0x1.71547652b82fep+0);
    const double r = fma(-k, ln2_high, x), low = -k * ln2_low;
    const Pair start = quick_sum(r, low);
    const double rest = start.low + start.high * start.high * exp_series(start.high);
    if (k == 0) return absolute(x) < 0x1p-54 ? x : start.high + rest;
    if (k > 1000) return exp(x);
    const double two = power_of_two((int)k);
    const Pair high = sum(two - 1, two * start.high);
    return high.high + (high.low + two * rest);
}

/// log(m) of 0.7 < m < 1.42, with about 68 bits.
MOG_CUDA_MATH Pair log_of_mantissa(double m) {
    const double f = m - 1;
    const Pair below = quick_sum(2.0, f);
    const double first = f / below.high;
    const Pair s = quick_sum(first, (fma(-first, below.high, f) - first * below.low) / below.high);
    const Pair z = product(s, s);
    // 2 s (1 + z/3 + z^2/5 + ...)
    constexpr double c[] = {1.0 / 5, 1.0 / 7, 1.0 / 9, 1.0 / 11, 1.0 / 13, 1.0 / 15, 1.0 / 17, 1.0 / 19, 1.0 / 21, 1.0 / 23};
    const Pair third = sum(Pair{0x1.5555555555555p-2, 0x1.5555555555555p-56}, Pair{z.high * polynomial(c, z.high), 0});
    const Pair cubic = product(product(s, z), third);
    const Pair all = sum(s, cubic);
    return {2 * all.high, 2 * all.low};
}

/// x as m 2^e with 0.7 < m < 1.42.
MOG_CUDA_MATH double near_one(double x, int &exponent) {
    double m = mantissa(x, exponent);
    if (m > 0x1.6a09e667f3bcdp+0) {
        m *= 0.5;
        exponent++;
    }
    return m;
}

/// log(x) of a positive, finite x.
MOG_CUDA_MATH Pair log_pair(double x) {
    int exponent;
    const double m = near_one(x, exponent);
    const Pair part = log_of_mantissa(m);
    if (exponent == 0) return part;
    const Pair whole = sum(exponent * ln2_first, exponent * ln2_second);  // the first product is exact
    return sum(Pair{whole.high, whole.low + fma(exponent, ln2_second, -(exponent * ln2_second)) + exponent * ln2_third}, part);
}

/// What logarithms have in common: of 0, of negative numbers, of what is not finite. True: `value` is the result.
MOG_CUDA_MATH bool special_log(double x, double &value) {
    if (x > 0 && x < infinity()) return false;
    value = x == 0 ? -infinity() : x < 0 ? not_a_number() : x;
    return true;
}

/// log(1 + f) + exponent log(2) of -0.3 < f < 0.42.
MOG_CUDA_MATH double log_by_parts(double f, int exponent) {
    const double s = f / (2 + f), z = s * s, half = 0.5 * f * f;
    constexpr double c[] = {2.0 / 3, 2.0 / 5, 2.0 / 7, 2.0 / 9, 2.0 / 11, 2.0 / 13, 2.0 / 15, 2.0 / 17, 2.0 / 19, 2.0 / 21, 2.0 / 23};
    const double rest = z * polynomial(c, z);
    // f - f^2/2 + s (f^2/2 + rest): the sum's parts by size, each exact where it matters
    const double low = s * (half + rest);
    if (exponent == 0) return f - (half - low);
    return exponent * ln2_first - ((half - (low + exponent * ln2_second)) - f);
}

MOG_CUDA_MATH double log(double x) {
    double special = 0;
    if (special_log(x, special)) return special;
    int exponent;
    const double m = near_one(x, exponent);
    return log_by_parts(m - 1, exponent);
}

MOG_CUDA_MATH double log2(double x) {
    double special = 0;
    if (special_log(x, special)) return special;
    int exponent;
    const double m = near_one(x, exponent);
    const Pair part = product(log_of_mantissa(m), Pair{0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56});
    const Pair all = sum((double)exponent, part.high);
    return all.high + (all.low + part.low);
}

MOG_CUDA_MATH double log10(double x) {
    double special = 0;
    if (special_log(x, special)) return special;
    const Pair all = product(log_pair(x), Pair{0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57});
    return all.high + all.low;
}

MOG_CUDA_MATH double log1p(double x) {
    if (absolute(x) < 0x1p-54) return x;
    if (x > -0.29 && x < 0.41) return log_by_parts(x, 0);
    double special = 0;
    if (special_log(1 + x, special)) return special;
    const Pair one = sum(1.0, x);
    return log(one.high) + one.low / one.high;
}

/// |x|^y for a finite |x| > 0.
MOG_CUDA_MATH double power_of_positive(double x, double y) {
    if (!(absolute(y) < 0x1p70)) {  // the exponent would not be a number; what it would be is clear
        if (x == 1) return 1;
        return (x > 1) == (y > 0) ? infinity() : 0;
    }
    const Pair logarithm = log_pair(x);
    if (absolute(logarithm.high * y) > 1000) return logarithm.high * y > 0 ? infinity() : 0;
    return exp(product(logarithm, y));
}

MOG_CUDA_MATH double pow(double x, double y) {
    if (y == 0 || x == 1) return 1;
    if (x != x || y != y) return x + y;
    const double size = absolute(y);
    const bool whole = size >= 0x1p53 || nearest(size * 0.5) * 2 == size || nearest(size) == size;
    const bool odd = whole && size < 0x1p53 && ((long long)size & 1);
    if (x == 0) {
        if (y < 0) return odd ? with_sign(infinity(), x) : infinity();
        return odd ? x : 0;
    }
    if (absolute(x) == infinity()) {
        const double value = y > 0 ? infinity() : 0;
        return x < 0 && odd ? -value : value;
    }
    if (size == infinity()) {
        if (x == -1) return 1;
        return (absolute(x) > 1) == (y > 0) ? infinity() : 0;
    }
    if (x < 0 && !whole) return not_a_number();
    const double value = power_of_positive(absolute(x), y);
    return x < 0 && odd ? -value : value;
}

MOG_CUDA_MATH double sinh(double x) {
    const double size = absolute(x);
    if (size < 0x1p-28) return x;
    double value;
    if (size < 20) {
        const double e = expm1(size);
        value = size < 1 ? 0.5 * (2 * e - e * e / (e + 1)) : 0.5 * (e + e / (e + 1));
    } else {
        value = exp(Pair{size, 0}, 1);
    }
    return with_sign(value, x);
}

MOG_CUDA_MATH double cosh(double x) {
    const double size = absolute(x);
    if (size < 20) {
        const double e = exp(size);
        return 0.5 * e + 0.5 / e;
    }
    return exp(Pair{size, 0}, 1);
}

MOG_CUDA_MATH double tanh(double x) {
    const double size = absolute(x);
    if (size < 0x1p-28) return x;
    if (x != x) return x;
    double value = 1;
    if (size < 0.5) {
        const double e = expm1(-2 * size);
        value = -e / (e + 2);
    } else if (size < 22) {
        value = 1 - 2 / (exp(2 * size) + 1);
    }
    return with_sign(value, x);
}

MOG_CUDA_MATH double asinh(double x) {
    const double size = absolute(x);
    if (!(size < infinity()) || size < 0x1p-28) return x;
    double value;
    if (size > 0x1p28) {
        value = log(size) + ln2_high;
    } else {
        const double square = size * size;
        value = log1p(size + square / (1 + __builtin_sqrt(square + 1)));
    }
    return with_sign(value, x);
}

MOG_CUDA_MATH double acosh(double x) {
    if (x < 1) return not_a_number();
    if (x > 0x1p28) return log(x) + ln2_high;
    const double t = x - 1;
    return log1p(t + __builtin_sqrt(2 * t + t * t));
}

MOG_CUDA_MATH double atanh(double x) {
    const double size = absolute(x);
    if (size > 1) return not_a_number();
    if (size < 0x1p-28) return x;
    return with_sign(0.5 * log1p(2 * size / (1 - size)), x);
}

MOG_CUDA_MATH double cbrt(double x) {
    if (x == 0 || !(absolute(x) < infinity())) return x;
    int exponent;
    double m = mantissa(absolute(x), exponent);
    const int third = exponent >= 0 ? exponent / 3 : -((2 - exponent) / 3);
    m *= power_of_two(exponent - 3 * third);  // 1 <= m < 8
    double root = fma(fma(-0x1.1p-6, m, 0x1.52p-2), m, 0x1.7p-1);
    for (int step = 0; step < 3; step++) {
        const double cube = root * root * root;
        root *= (cube + 2 * m) / (2 * cube + m);
    }
    // One step of Newton's with the cube's error kept makes the last bit good.
    const Pair square = product(root, root), cube = product(square, root);
    root -= ((cube.high - m) + cube.low) / (3 * square.high);
    return with_sign(scale(root, third), x);
}

MOG_CUDA_MATH double hypot(double x, double y) {
    x = absolute(x), y = absolute(y);
    if (x == infinity() || y == infinity()) return infinity();
    if (x != x || y != y) return x + y;
    if (x < y) {
        const double other = x;
        x = y, y = other;
    }
    if (y == 0 || x > y * 0x1p60) return x + y;
    const double by = x > 0x1p500 ? 0x1p-600 : y < 0x1p-500 ? 0x1p600 : 1;
    x *= by, y *= by;
    const Pair xx = product(x, x), yy = product(y, y);
    const Pair all = sum(xx, yy);
    const double root = __builtin_sqrt(all.high);
    return (root + (fma(-root, root, all.high) + all.low) / (2 * root)) / by;
}

}  // namespace mog_cuda
