/* math_base.h: what the mathematics of kernels is made of: bits of numbers, sums and products whose errors are kept.
 *
 * Kernels have no library of functions, so these headers are one. They are plain C++ over + - * / fma and sqrt, so that the tests compile
 * them for the host and compare them with its long doubles. Nothing here may be contracted: mogcuda compiles with fast-honor-pragmas,
 * and math_float.h, which comes last, goes back to what the program is compiled with. */
#pragma once

#ifdef __CUDA__
#include "mog_cuda/words.h"
#define MOG_CUDA_MATH static inline __attribute__((device, unused))
#define MOG_CUDA_TABLE static __attribute__((constant, unused)) const
#pragma clang fp contract(off)
#else
#define MOG_CUDA_MATH static inline __attribute__((unused))
#define MOG_CUDA_TABLE static const
#endif

namespace mog_cuda {

/// An unevaluated sum: high is the sum rounded, low what is left.
struct Pair {
    double high, low;
};

MOG_CUDA_MATH unsigned long long bits_of(double x) {
    unsigned long long bits;
    __builtin_memcpy(&bits, &x, 8);
    return bits;
}
MOG_CUDA_MATH unsigned bits_of(float x) {
    unsigned bits;
    __builtin_memcpy(&bits, &x, 4);
    return bits;
}
MOG_CUDA_MATH double double_of(unsigned long long bits) {
    double x;
    __builtin_memcpy(&x, &bits, 8);
    return x;
}
MOG_CUDA_MATH float float_of(unsigned bits) {
    float x;
    __builtin_memcpy(&x, &bits, 4);
    return x;
}

MOG_CUDA_MATH double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
MOG_CUDA_MATH double absolute(double x) { return __builtin_fabs(x); }
MOG_CUDA_MATH double with_sign(double x, double sign) { return __builtin_copysign(x, sign); }
MOG_CUDA_MATH bool is_nan(double x) { return x != x; }
MOG_CUDA_MATH double infinity() { return __builtin_inf(); }
MOG_CUDA_MATH double not_a_number() { return __builtin_nan(""); }
/// To the nearest whole number, for |x| < 2^51.
MOG_CUDA_MATH double nearest(double x) { return (x + 0x1.8p52) - 0x1.8p52; }

/// 2^n for -1022 <= n <= 1023.
MOG_CUDA_MATH double power_of_two(int n) { return double_of((unsigned long long)(n + 1023) << 52); }

/// x 2^n, rounded once.
MOG_CUDA_MATH double scale(double x, int n) {
    if (n > 1023) {
        x *= 0x1p1023;
        n -= 1023;
        if (n > 1023) {
            x *= 0x1p1023;
            n = n - 1023 > 1023 ? 1023 : n - 1023;
        }
    } else if (n < -1022) {
        // The last step alone may round, so the first ones leave 53 bits above the smallest number.
        x *= 0x1p-969;
        n += 969;
        if (n < -1022) {
            x *= 0x1p-969;
            n = n + 969 < -1022 ? -1022 : n + 969;
        }
    }
    return x * power_of_two(n);
}

/// Where |a| >= |b|.
MOG_CUDA_MATH Pair quick_sum(double a, double b) {
    const double sum = a + b;
    return {sum, b - (sum - a)};
}
MOG_CUDA_MATH Pair sum(double a, double b) {
    const double all = a + b, part = all - a;
    return {all, (a - (all - part)) + (b - part)};
}
MOG_CUDA_MATH Pair product(double a, double b) {
    const double all = a * b;
    return {all, fma(a, b, -all)};
}
MOG_CUDA_MATH Pair sum(Pair a, Pair b) {
    const Pair high = sum(a.high, b.high);
    return quick_sum(high.high, high.low + (a.low + b.low));
}
MOG_CUDA_MATH Pair product(Pair a, Pair b) {
    const Pair high = product(a.high, b.high);
    return quick_sum(high.high, high.low + fma(a.high, b.low, a.low * b.high));
}
MOG_CUDA_MATH Pair product(Pair a, double b) {
    const Pair high = product(a.high, b);
    return quick_sum(high.high, fma(a.low, b, high.low));
}

/// A number that is not 0, infinite or NaN, as m 2^e with 1 <= |m| < 2.
MOG_CUDA_MATH double mantissa(double x, int &exponent) {
    int below = 0;
    if (absolute(x) < 0x1p-1022) {
        x *= 0x1p54;
        below = 54;
    }
    const unsigned long long bits = bits_of(x);
    exponent = (int)(bits >> 52 & 0x7ff) - 1023 - below;
    return double_of((bits & 0x800fffffffffffffull) | 0x3ff0000000000000ull);
}

/// c[0] + c[1] x + ... by Horner's rule.
template <int Count>
MOG_CUDA_MATH double polynomial(const double (&c)[Count], double x) {
    double value = c[Count - 1];
#pragma GCC unroll 32
    for (int i = Count - 2; i >= 0; i--) value = fma(value, x, c[i]);
    return value;
}

}  // namespace mog_cuda
