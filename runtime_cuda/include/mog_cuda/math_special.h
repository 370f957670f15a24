/* math_special.h: remainders, the error function, the gamma function, the normal distribution. */
#pragma once

#include "mog_cuda/math_exp.h"
#include "mog_cuda/math_trig.h"

namespace mog_cuda {

/// |x| less whole multiples of a finite |y| > 0, exactly; the last bit of how many there were.
MOG_CUDA_MATH double remainder_of_sizes(double x, double y, bool &odd) {
    odd = false;
    while (x >= y) {
        int e, f;
        mantissa(x, e);
        mantissa(y, f);
        // The multiple y 2^n that is at most x and more than half of it: the difference is exact.
        int n = e - f;
        double step = scale(y, n);
        if (step > x) step = scale(y, --n);
        x -= step;
        if (n == 0) odd = !odd;
    }
    return x;
}
MOG_CUDA_MATH double fmod(double x, double y) {
    if (x != x || y != y || absolute(x) == infinity() || y == 0) return x - x + not_a_number() * (y == y);
    if (absolute(y) == infinity()) return x;
    bool odd;
    return with_sign(remainder_of_sizes(absolute(x), absolute(y), odd), x);
}
MOG_CUDA_MATH double remainder(double x, double y) {
    if (x != x || y != y || absolute(x) == infinity() || y == 0) return not_a_number();
    if (absolute(y) == infinity()) return x;
    const double by = absolute(y);
    bool odd;
    double rest = remainder_of_sizes(absolute(x), by, odd);
    if (rest > by - rest || (rest == by - rest && odd)) rest -= by;
    return x < 0 || bits_of(x) >> 63 ? -rest : rest;
}

/// e^(x^2) erfc(x) of x >= 0, by a fit in (x - 4) / (x + 4), up to 28.
MOG_CUDA_MATH double erfcx_positive(double x) {
    constexpr double c[] = {
        0x1.3ba5916e9fd7fp+0,   -0x1.1df1ad154a28fp-3,  0x1.f7f5df66fd7e6p-7,   0x1.16ecefcfa5400p-4,   -0x1.9ddb23c3e924bp-4,
        0x1.7fee004e113a0p-4,   -0x1.0fb06dfe46db3p-4,  0x1.3079edf6ae2ebp-5,   -0x1.09623885955c8p-6,  0x1.49c6727714f22p-8,
        -0x1.8d4a996717f16p-11, -0x1.a1df1879570cbp-13, 0x1.3be033841dfc4p-13,  -0x1.995b13f6b0a3fp-16, -0x1.7882d18e29e35p-17,
        0x1.7f3e45c1e5061p-18,  0x1.3926a52c331a6p-22,  -0x1.bc665b6377870p-21, 0x1.4adcd53cbbc96p-24,  0x1.e689355383b88p-24,
        -0x1.483e5f2f13f5cp-26, -0x1.1d56405fb00c0p-26, 0x1.cfaa94405e761p-30,  0x1.210c970eb46d4p-29,  0x1.401609bf915e2p-32};
    if (x > 28) {  // the asymptotic series
        constexpr double series[] = {1, -0.5, 0.75, -1.875, 6.5625, -29.53125, 162.421875, -1055.7421875};
        return 0x1.20dd750429b6dp-1 / x * polynomial(series, 1 / (x * x));
    }
    return polynomial(c, (x - 4) / (x + 4)) / (1 + 2 * x);
}
/// e^(-x^2)
MOG_CUDA_MATH double exp_of_square(double x) {
    const Pair square = product(x, x);
    return exp(Pair{-square.high, -square.low});
}
/// erf(x) of |x| <= 1.
MOG_CUDA_MATH double erf_small(double x) {
    constexpr double c[] = {0x1.20dd750429b6dp+0,  -0x1.812746b0379e6p-2,  0x1.ce2f21a042b30p-4,  -0x1.b82ce31284e00p-6,
                            0x1.565bcd0dbaa38p-8,  -0x1.c02db3dac435fp-11, 0x1.f9a321d5b8e1ep-14, -0x1.f4d1e3183f7aep-17,
                            0x1.b9df224ca4b97p-20, -0x1.5f1ecb6f0764cp-23, 0x1.f7b4bf3b13964p-27, -0x1.389d4f2641625p-30,
                            0x1.05ffd737fb32ep-34};
    return x * polynomial(c, x * x);
}
MOG_CUDA_MATH double erfc(double x) {
    if (x != x) return x;
    if (absolute(x) < 0.65) return 1 - erf_small(x);
    if (x < 0) return x < -6 ? 2 : 2 - erfcx_positive(-x) * exp_of_square(x);
    return x > 28 ? 0 : erfcx_positive(x) * exp_of_square(x);
}
MOG_CUDA_MATH double erf(double x) {
    if (x != x) return x;
    const double size = absolute(x);
    return size <= 1 ? erf_small(x) : with_sign(size > 6 ? 1 : 1 - erfc(size), x);
}
MOG_CUDA_MATH double erfcx(double x) {
    if (x != x) return x;
    if (x >= 0) return x == infinity() ? 0 : erfcx_positive(x);
    if (x < -27) return infinity();
    const Pair square = product(x, x);
    return 2 * exp(square) - erfcx_positive(-x);
}
MOG_CUDA_MATH double normcdf(double x) {
    if (x != x) return x;
    if (x < -38.6) return 0;
    const Pair scaled = product(Pair{-0x1.6a09e667f3bcdp-1, 0x1.bdd3413b26456p-55}, x);
    const double at = scaled.high, value = erfc(at);
    // erfc'(t) = -2/sqrt(pi) e^(-t^2)
    return 0.5 * (value - 0x1.20dd750429b6dp+0 * exp_of_square(at) * scaled.low);
}
/// The inverse of erfc: a first value that is good to some digits, then Halley's steps.
MOG_CUDA_MATH double erfcinv(double x) {
    if (!(x >= 0 && x <= 2)) return not_a_number();
    if (x == 0) return infinity();
    if (x == 2) return -infinity();
    const double tail = x < 1 ? x : 2 - x, t = __builtin_sqrt(-2 * log(0.5 * tail));
    double root = 0.70711 * (t - (2.30753 + t * 0.27061) / (1 + t * (0.99229 + t * 0.04481)));
    for (int step = 0; step < 3; step++) {
        const double error = tail > 0.5 ? (1 - tail) - erf(root) : erfc(root) - tail;
        const double newton = error / (0x1.20dd750429b6dp+0 * exp_of_square(root));
        root += newton / (1 - newton * root);
    }
    return x < 1 ? root : -root;
}
MOG_CUDA_MATH double erfinv(double x) {
    if (!(absolute(x) <= 1)) return not_a_number();
    if (absolute(x) == 1) return with_sign(infinity(), x);
    const double size = absolute(x);
    if (size < 0x1p-27) return x * 0x1.c5bf891b4ef6bp-1;
    if (size > 0.5) return with_sign(erfcinv(1 - size), x);
    double root = size * 0x1.c5bf891b4ef6bp-1 * (1 + 0.2618 * size * size);
    for (int step = 0; step < 4; step++) {
        const double newton = (size - erf_small(root)) / (0x1.20dd750429b6dp+0 * exp_of_square(root));
        root += newton / (1 - newton * root);
    }
    return with_sign(root, x);
}
MOG_CUDA_MATH double normcdfinv(double x) { return -0x1.6a09e667f3bcdp+0 * erfcinv(2 * x); }

/// log of the gamma function of x >= 8: Stirling's series.
MOG_CUDA_MATH Pair log_gamma_large(double x) {
    constexpr double c[] = {1.0 / 12, -1.0 / 360, 1.0 / 1260, -1.0 / 1680, 1.0 / 1188, -691.0 / 360360, 1.0 / 156, -3617.0 / 122400};
    const double inverse = 1 / x;
    const Pair first = product(log_pair(x), sum(x, -0.5));
    const Pair constant = sum(Pair{0x1.d67f1c864beb5p-1, -0x1.65b5a1b7ff5dfp-55}, Pair{inverse * polynomial(c, inverse * inverse), 0});
    return sum(sum(first, Pair{-x, 0}), constant);
}
MOG_CUDA_MATH double tgamma(double x) {
    if (x != x || x == infinity()) return x;
    if (x == 0) return with_sign(infinity(), x);
    const double whole = __builtin_floor(x);
    if (x < 0 && whole == x) return not_a_number();
    if (x > 171.7) return infinity();
    if (x < -184) return with_sign(0, nearest(whole * 0.5) * 2 == whole ? 1 : -1);
    if (absolute(x) < 0x1p-60) return 1 / x;
    double at = x, steps = 0;
    if (x <= -7) {
        // gamma(x) gamma(1 - x) = pi / sin(pi x)
        const double mirrored = 1 - x, lost = (1 - mirrored) - x;
        const Pair value = log_gamma_large(mirrored);
        const double half = exp(Pair{-0.5 * value.high, -0.5 * value.low});
        return 0x1.921fb54442d18p+1 / sinpi(x) * half * half * (1 - lost * log(mirrored));
    }
    // Up to where the series holds, by the product of what is stepped over.
    Pair over = {1, 0};
    while (at < 8) over = product(over, sum(x, steps)), steps++, at = x + steps;
    const double lost = sum(x, steps).low;
    const Pair value = sum(log_gamma_large(at), Pair{lost * log(at), 0});
    return exp(value) / over.high * (1 - over.low / over.high);
}
MOG_CUDA_MATH double lgamma(double x) {
    if (x != x) return x;
    if (absolute(x) == infinity()) return infinity();
    if (x <= 0) {
        if (__builtin_floor(x) == x) return infinity();
        if (x > -0x1p-60) return -log(-x);
        const double sine = absolute(sinpi(x));
        const double mirrored = 1 - x;
        return log(0x1.921fb54442d18p+1 / (sine * -x)) - lgamma(mirrored) + log(-x);
    }
    if (x < 0x1p-60) return -log(x);
    constexpr double near_two[] = {
        0x1.ccf151e09cde8p-2,   -0x1.e965863079469p-4,  0x1.6cb62517118fcp-5,   -0x1.382e176f619f5p-6,  0x1.1f9587fa1eb1dp-7,
        -0x1.14f7c58de2671p-8,  0x1.12aa72f6bf91dp-9,   -0x1.160562c0a01a1p-10, 0x1.1daed609e7d16p-11,  -0x1.28f25561c32fep-12,
        0x1.3776543d9d2b2p-13,  -0x1.491a21f13e967p-14, 0x1.5dd9d31d90f48p-15,  -0x1.759940c57cab0p-16, 0x1.90f34771375dep-17,
        -0x1.b3649525282a8p-18, 0x1.d6ba7178cecadp-19,  -0x1.da7f8ddb1afb2p-20, 0x1.019ed5c944fcep-20,  -0x1.9603c1167a065p-21,
        0x1.bcd359ab28bccp-22,  0x1.246de568fe6f2p-25,  -0x1.501038e3f4b02p-26, -0x1.52d04301dad55p-23, 0x1.75c8e4b0bb849p-24};
    constexpr double below_one[] = {0x1.4d0e35f51a18bp-1, -0x1.68d0e724a2f50p-2, 0x1.2d24b6e9d82dap-2, -0x1.27d8568c450f3p-2,
                                    0x1.3aa2bb20348d9p-2, -0x1.5e2fbad43dee1p-2, 0x1.915a51afa47f8p-2, -0x1.d59219638f043p-2,
                                    0x1.16f3fee855ebfp-1, -0x1.4f6fe3a96c7b3p-1, 0x1.9749bfa130bb8p-1, -0x1.f28cba3265c69p-1,
                                    0x1.332a3fbb79d7ep+0, -0x1.7befe927dcb3cp+0, 0x1.d930c79c693b3p+0, -0x1.2fa8785c1b13fp+1,
                                    0x1.7d766a19fd251p+1, -0x1.7ed8146178516p+1, 0x1.e29f6ee77eeb8p+1, -0x1.46b5ff06a2ff4p+3,
                                    0x1.a001c862273eep+3};
    constexpr double above_two[] = {0x1.54b70fd4d44ecp-2,  -0x1.adcea6e1f252dp-5,  0x1.66e19eabbf72fp-7,  -0x1.50baf74ae586cp-9,
                                    0x1.50f30d78c8f99p-11, -0x1.5f26c75fb4864p-13, 0x1.7844721b91912p-15, -0x1.9b5a6b13b74b1p-17,
                                    0x1.c88a2b0c6a44fp-19, -0x1.00500768af3b1p-20, 0x1.227bb1580c6bfp-22, -0x1.4bfcfbbbde96fp-24,
                                    0x1.7d6ffb02abc27p-26, -0x1.af4ae9e87824bp-28, 0x1.f426410355deep-30, -0x1.6e2164f0698cep-31,
                                    0x1.ac2f47bec8223p-33};
    // Near its roots, 1 and 2, the logarithm is a multiple of their distances.
    if (x < 0.5) return lgamma(x + 1) - log(x);
    if (x == 1) return 0;
    if (x < 1) return (x - 1) * (x - 2) * polynomial(below_one, x - 0.75);
    if (x <= 2.5) return (x - 1) * (x - 2) * polynomial(near_two, x - 1.75);
    if (x <= 4) return (x - 1) * (x - 2) * polynomial(above_two, x - 3.25);
    if (x > 0x1p60) return x * (log(x) - 1);
    double at = x, steps = 0;
    Pair over = {1, 0};
    while (at < 8) over = product(over, at), at += 1, steps++;
    const double lost = x - (at - steps);  // by the last step; the function grows by its logarithm there
    const Pair stepped = log_pair(over.high);
    const Pair all = sum(log_gamma_large(at), Pair{-stepped.high, lost * log(at) - stepped.low - over.low / over.high});
    return all.high + all.low;
}

}  // namespace mog_cuda
