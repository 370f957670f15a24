/* math_float.h: the mathematics of floats, computed in doubles with as many terms as floats need, and rounded once. */
#pragma once

#include "mog_cuda/math_special.h"

namespace mog_cuda {

/// e^x of |x| < 800, to 40 bits.
MOG_CUDA_MATH double short_exp(double x) {
    constexpr double c[] = {1, 1, 1.0 / 2, 1.0 / 6, 1.0 / 24, 1.0 / 120, 1.0 / 720, 1.0 / 5040, 1.0 / 40320};
    const double k = nearest(x * 0x1.71547652b82fep+0);
    return polynomial(c, fma(-k, ln2_high, x)) * power_of_two((int)k);
}
/// log of a positive, finite x that is a normal double.
MOG_CUDA_MATH double short_log(double x) {
    constexpr double c[] = {2, 2.0 / 3, 2.0 / 5, 2.0 / 7, 2.0 / 9, 2.0 / 11, 2.0 / 13};
    const unsigned long long bits = bits_of(x) - 0x3fe6a09e667f3bcdull;
    const double exponent = (double)((long long)bits >> 52);
    const double f = double_of((bits & 0xfffffffffffffull) + 0x3fe6a09e667f3bcdull) - 1, s = f / (2 + f);
    return fma(exponent, ln2_high, s * polynomial(c, s * s));
}
MOG_CUDA_MATH bool special_log(float x, float &value) {
    double special = 0;
    if (!special_log((double)x, special)) return false;
    value = (float)special;
    return true;
}
MOG_CUDA_MATH double bounded(double x, double least, double most) { return x < least ? least : x > most ? most : x; }

MOG_CUDA_MATH float exp(float x) { return x != x ? x : (float)short_exp(bounded(x, -150, 150)); }
MOG_CUDA_MATH float exp2(float x) { return x != x ? x : (float)short_exp(bounded(x, -200, 200) * ln2_high); }
MOG_CUDA_MATH float exp10(float x) { return x != x ? x : (float)short_exp(bounded(x, -60, 60) * 0x1.26bb1bbb55516p+1); }
MOG_CUDA_MATH float expm1(float x) {
    if (__builtin_fabsf(x) < 0.5f) {
        constexpr double c[] = {1, 1.0 / 2, 1.0 / 6, 1.0 / 24, 1.0 / 120, 1.0 / 720, 1.0 / 5040, 1.0 / 40320, 1.0 / 362880};
        return x == 0 ? x : (float)(x * polynomial(c, x));
    }
    return x != x ? x : (float)(short_exp(bounded(x, -150, 150)) - 1);
}
MOG_CUDA_MATH float log(float x) {
    float special = 0;
    return special_log(x, special) ? special : (float)short_log(x);
}
MOG_CUDA_MATH float log2(float x) {
    float special = 0;
    return special_log(x, special) ? special : (float)(short_log(x) * 0x1.71547652b82fep+0);
}
MOG_CUDA_MATH float log10(float x) {
    float special = 0;
    return special_log(x, special) ? special : (float)(short_log(x) * 0x1.bcb7b1526e50ep-2);
}
MOG_CUDA_MATH float log1p(float x) {
    if (__builtin_fabsf(x) < 0x1p-20f) return x == 0 ? x : (float)(x - 0.5 * (double)x * x);
    double special = 0;
    if (special_log(1.0 + x, special)) return (float)special;
    return (float)short_log(1.0 + x);
}
MOG_CUDA_MATH float pow(float x, float y) {
    const double size = absolute(x);
    if (!(size > 0 && size < infinity() && absolute(y) < 0x1p40)) return (float)pow((double)x, (double)y);
    if (y == 0 || x == 1) return 1;
    double sign = 1;
    if (x < 0) {
        const double half = 0.5 * y;
        if (nearest(y) != y) return (float)not_a_number();
        if (nearest(half) != half) sign = -1;
    }
    return (float)(sign * short_exp(bounded(y * short_log(size), -150, 150)));
}
MOG_CUDA_MATH float sinh(float x) {
    if (__builtin_fabsf(x) < 0.5f) {
        constexpr double c[] = {1, 1.0 / 6, 1.0 / 120, 1.0 / 5040, 1.0 / 362880};
        return x == 0 ? x : (float)(x * polynomial(c, (double)x * x));
    }
    const double e = short_exp(bounded(x, -150, 150));
    return x != x ? x : (float)(0.5 * (e - 1 / e));
}
MOG_CUDA_MATH float cosh(float x) {
    const double e = short_exp(bounded(x, -150, 150));
    return x != x ? x : (float)(0.5 * (e + 1 / e));
}
MOG_CUDA_MATH float tanh(float x) {
    if (x != x || x == 0) return x;
    const double e = expm1((double)bounded(2.0 * x, -60, 60));
    return (float)(e / (e + 2));
}
MOG_CUDA_MATH float asinh(float x) { return (float)asinh((double)x); }
MOG_CUDA_MATH float acosh(float x) { return (float)acosh((double)x); }
MOG_CUDA_MATH float atanh(float x) { return (float)atanh((double)x); }
MOG_CUDA_MATH float cbrt(float x) {
    const double size = absolute(x);
    if (!(size > 0 && size < infinity())) return x;
    return (float)with_sign(short_exp(short_log(size) * (1.0 / 3)), x);
}
MOG_CUDA_MATH float hypot(float x, float y) {
    if (absolute(x) == infinity() || absolute(y) == infinity()) return (float)infinity();
    return (float)__builtin_sqrt((double)x * x + (double)y * y);
}

/// x less the nearest multiple of pi/2.
MOG_CUDA_MATH double short_reduce(float x, int &quadrant) {
    if (__builtin_fabsf(x) > 0x1p19f) {
        const Pair r = reduce_large(x, quadrant);
        return r.high;
    }
    const double k = nearest(x * 0x1.45f306dc9c883p-1);
    quadrant = (int)k;
    return fma(-k, 0x1.1a62633145c07p-54, fma(-k, 0x1.921fb54442d18p+0, x));
}
MOG_CUDA_MATH double short_sin(double r) {
    constexpr double c[] = {1, -1.0 / 6, 1.0 / 120, -1.0 / 5040, 1.0 / 362880, -1.0 / 39916800};
    return r * polynomial(c, r * r);
}
MOG_CUDA_MATH double short_cos(double r) {
    constexpr double c[] = {1, -1.0 / 2, 1.0 / 24, -1.0 / 720, 1.0 / 40320, -1.0 / 3628800, 1.0 / 479001600};
    return polynomial(c, r * r);
}
MOG_CUDA_MATH float sin(float x) {
    if (!(__builtin_fabsf(x) < __builtin_inff()) || x == 0) return x == 0 ? x : x - x;
    int quadrant;
    const double r = short_reduce(x, quadrant), value = quadrant & 1 ? short_cos(r) : short_sin(r);
    return (float)(quadrant & 2 ? -value : value);
}
MOG_CUDA_MATH float cos(float x) {
    if (!(__builtin_fabsf(x) < __builtin_inff())) return x - x;
    int quadrant;
    const double r = short_reduce(x, quadrant), value = quadrant & 1 ? short_sin(r) : short_cos(r);
    return (float)((quadrant + 1) & 2 ? -value : value);
}
MOG_CUDA_MATH void sincos(float x, float &sine, float &cosine) {
    sine = sin(x);
    cosine = cos(x);
}
MOG_CUDA_MATH float tan(float x) {
    if (!(__builtin_fabsf(x) < __builtin_inff()) || x == 0) return x == 0 ? x : x - x;
    int quadrant;
    const double r = short_reduce(x, quadrant), s = short_sin(r), c = short_cos(r);
    return (float)(quadrant & 1 ? -c / s : s / c);
}
MOG_CUDA_MATH void sincospi(float x, float &sine, float &cosine) {
    double s, c;
    sincospi((double)x, s, c);
    sine = (float)s;
    cosine = (float)c;
}
MOG_CUDA_MATH float sinpi(float x) { return (float)sinpi((double)x); }
MOG_CUDA_MATH float cospi(float x) { return (float)cospi((double)x); }
MOG_CUDA_MATH float asin(float x) { return (float)asin((double)x); }
MOG_CUDA_MATH float acos(float x) { return (float)acos((double)x); }
MOG_CUDA_MATH float atan(float x) { return (float)atan((double)x); }
MOG_CUDA_MATH float atan2(float y, float x) { return (float)atan2((double)y, (double)x); }
MOG_CUDA_MATH float fmod(float x, float y) { return (float)fmod((double)x, (double)y); }
MOG_CUDA_MATH float remainder(float x, float y) { return (float)remainder((double)x, (double)y); }
MOG_CUDA_MATH float erf(float x) { return (float)erf((double)x); }
MOG_CUDA_MATH float erfc(float x) { return (float)erfc((double)x); }
MOG_CUDA_MATH float erfcx(float x) { return (float)erfcx((double)x); }
MOG_CUDA_MATH float erfinv(float x) { return (float)erfinv((double)x); }
MOG_CUDA_MATH float erfcinv(float x) { return (float)erfcinv((double)x); }
MOG_CUDA_MATH float normcdf(float x) { return (float)normcdf((double)x); }
MOG_CUDA_MATH float normcdfinv(float x) { return (float)normcdfinv((double)x); }
MOG_CUDA_MATH float tgamma(float x) { return (float)tgamma((double)x); }
MOG_CUDA_MATH float lgamma(float x) { return (float)lgamma((double)x); }

}  // namespace mog_cuda

#if defined(__CUDA__) && !defined(MOG_CUDA_NO_CONTRACTION)
#pragma clang fp contract(fast)
#endif
