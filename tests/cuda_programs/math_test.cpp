// math_test.cpp: the mathematics that kernels are given, compiled for the host, against long doubles of the C library.
//
// Errors are in units of the last place of the exact result, on values of all sizes that a function is for; bounds are those that CUDA's
// documentation gives for its own functions.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include <fmt/format.h>

#include "runtime_cuda/include/mog_cuda/math_float.h"

namespace {

std::mt19937_64 random_bits(1);

/// Uniform in [least, most], or with a uniform logarithm where `sizes`.
double draw(double least, double most, bool sizes) {
    const double u = std::uniform_real_distribution<>(0, 1)(random_bits);
    return sizes ? std::exp(std::log(least) + u * (std::log(most) - std::log(least))) : least + (most - least) * u;
}

template <typename Float>
double distance(Float value, long double exact) {
    if (std::isnan(exact)) return std::isnan(value) ? 0 : 1e9;
    const Float rounded = static_cast<Float>(exact);
    if (std::isinf(rounded) || std::isinf(value))
        return value == rounded || std::abs(exact) > 0.999L * std::numeric_limits<Float>::max() ? 0 : 1e9;
    const int exponent = exact == 0 ? 0 : std::ilogb(exact);
    const int least = std::numeric_limits<Float>::min_exponent - std::numeric_limits<Float>::digits;
    const long double unit = std::ldexp(1.0L, std::max(exponent - (std::numeric_limits<Float>::digits - 1), least));
    return static_cast<double>(std::abs(value - exact) / unit);
}

struct Range {
    double least, most;
    bool sizes;
};

template <typename Float, typename Ours, typename Theirs>
void check(const char *name, double bound, std::initializer_list<Range> ranges, Ours ours, Theirs theirs) {
    for (const Range &range : ranges) {
        double worst = 0;
        Float where = 0;
        for (int i = 0; i < 4000; i++) {
            const Float x = static_cast<Float>(draw(range.least, range.most, range.sizes));
            const double off = distance<Float>(ours(x), theirs(static_cast<long double>(x)));
            if (!(off <= worst)) worst = off, where = x;
        }
        INFO(fmt::format("{} of {} bits on [{}, {}]: {} units at {:a}", name, sizeof(Float) * 8, range.least, range.most, worst, where));
        CHECK(worst <= bound);
    }
}

#define BOTH(name, bound, bound_of_floats, ...)                                                                                  \
    check<double>(                                                                                                               \
        #name, bound, {__VA_ARGS__}, [](double x) { return mog_cuda::name(x); }, [](long double x) { return exact_##name(x); }); \
    check<float>(                                                                                                                \
        #name, bound_of_floats, {__VA_ARGS__}, [](float x) { return mog_cuda::name(x); }, [](long double x) { return exact_##name(x); })

// What the C library has too.
// clang-format off
#define ALL(X)                                                                                                                               \
    X(exp) X(exp2) X(expm1) X(log) X(log2) X(log10) X(log1p) X(sinh) X(cosh) X(tanh) X(asinh) X(acosh) X(atanh) X(cbrt) X(sin) X(cos) X(tan) \
    X(asin) X(acos) X(atan) X(erf) X(erfc) X(tgamma) X(lgamma)
// clang-format on
#define EXACT(name) \
    long double exact_##name(long double x) { return std::name(x); }
ALL(EXACT)
long double exact_exp10(long double x) { return exp10l(x); }
constexpr long double pi = 3.14159265358979323846264338327950288L;
/// sin(pi x), exact where that is 0.
long double exact_sinpi(long double x) {
    const long double rest = std::remainder(x, 2);
    return std::abs(rest) > 0.5L ? std::copysign(std::sin(pi * (1 - std::abs(rest))), rest) : std::sin(pi * rest);
}
long double exact_cospi(long double x) { return exact_sinpi(std::abs(std::remainder(x, 2)) + 0.5L); }
long double exact_erfcx(long double x) { return std::exp(x * x) * std::erfc(x); }
long double exact_normcdf(long double x) { return 0.5L * std::erfc(-x / std::sqrt(2.0L)); }

}  // namespace

TEST_CASE("exponentials and logarithms") {
    BOTH(exp, 1, 1, {-745, 710, false}, {-1, 1, false}, {1e-20, 1, true});
    BOTH(exp2, 1, 1, {-1074, 1024, false}, {-1, 1, false});
    BOTH(exp10, 1, 1, {-323, 308, false}, {-1, 1, false});
    BOTH(expm1, 1, 1, {-30, 700, false}, {-1, 1, false}, {1e-20, 1, true});
    BOTH(log, 1, 1, {1e-300, 1e300, true}, {0.5, 2, false}, {1e-310, 1e-308, true});
    BOTH(log2, 1, 1, {1e-300, 1e300, true}, {0.5, 2, false});
    BOTH(log10, 1, 1, {1e-300, 1e300, true}, {0.5, 2, false});
    BOTH(log1p, 1, 1, {-0.99, 10, false}, {1e-20, 1e10, true});
}

TEST_CASE("hyperbolic functions") {
    BOTH(sinh, 2, 3, {-710, 710, false}, {-2, 2, false}, {1e-20, 1, true});
    BOTH(cosh, 1.5, 2, {-710, 710, false}, {-2, 2, false});
    BOTH(tanh, 2, 2, {-25, 25, false}, {-1, 1, false}, {1e-20, 1, true});
    BOTH(asinh, 3, 3, {-10, 10, false}, {1e-20, 1e300, true});
    BOTH(acosh, 3, 4, {1, 4, false}, {1, 1e300, true});
    BOTH(atanh, 2.5, 3, {-1, 1, false}, {1e-20, 1, true});
}

TEST_CASE("circular functions") {
    BOTH(sin, 2, 2, {-4, 4, false}, {1, 1e300, true}, {-1e5, 1e5, false}, {1e-20, 1, true});
    BOTH(cos, 2, 2, {-4, 4, false}, {1, 1e300, true}, {-1e5, 1e5, false}, {1e-20, 1, true});
    BOTH(tan, 2, 4, {-4, 4, false}, {1, 1e300, true}, {-1e5, 1e5, false}, {1e-20, 1, true});
    BOTH(sinpi, 2, 2, {-4, 4, false}, {1e-10, 1, true}, {1, 1e16, true});
    BOTH(cospi, 2, 2, {-4, 4, false}, {1, 1e16, true});
    BOTH(asin, 2, 2, {-1, 1, false}, {1e-20, 1, true}, {0.999, 1, false});
    BOTH(acos, 2, 2, {-1, 1, false}, {1e-20, 1, true}, {0.999, 1, false});
    BOTH(atan, 2, 2, {-10, 10, false}, {1e-20, 1e20, true});
}

TEST_CASE("roots, the error function, the gamma function") {
    BOTH(cbrt, 1, 1, {-10, 10, false}, {1e-300, 1e300, true}, {1e-320, 1e-310, true});
    BOTH(erf, 2, 2, {-7, 7, false}, {1e-20, 1, true});
    BOTH(erfc, 5, 4, {-7, 27, false}, {-1, 1, false}, {0.1, 6, false});
    BOTH(erfcx, 4, 4, {0, 10, false}, {1, 100, true}, {-5, 0, false});
    BOTH(normcdf, 5, 5, {-37, 9, false}, {-1, 1, false});
    BOTH(tgamma, 10, 5, {0, 171, false}, {0.01, 3, false}, {-20.3, 0, false});
    BOTH(lgamma, 4, 6, {0.01, 3, false}, {3, 1e300, true}, {0.01, 100, false});
}

TEST_CASE("functions of two arguments") {
    double power = 0, angle = 0, length = 0;
    float power_of_floats = 0;
    for (int i = 0; i < 20000; i++) {
        const double x = draw(1e-300, 1e300, true), y = draw(-2, 2, false), z = draw(1e-10, 1e10, true), w = draw(-50, 50, false);
        power = std::max({power, distance(mog_cuda::pow(x, y), std::pow(static_cast<long double>(x), static_cast<long double>(y))),
                          distance(mog_cuda::pow(1 + 1 / z, z * w),
                                   std::pow(1.0L + 1 / z - (1.0L + 1 / z - (1 + 1 / z)), static_cast<long double>(z * w)))});
        const float a = static_cast<float>(draw(1e-30, 1e30, true)), b = static_cast<float>(draw(-2, 2, false));
        power_of_floats =
            std::max(power_of_floats,
                     static_cast<float>(distance(mog_cuda::pow(a, b), std::pow(static_cast<long double>(a), static_cast<long double>(b)))));
        const double by = draw(1e-10, 1e10, true) * (i & 1 ? -1 : 1), at = z * (i & 2 ? -1 : 1);
        angle = std::max(angle, distance(mog_cuda::atan2(at, by), std::atan2(static_cast<long double>(at), static_cast<long double>(by))));
        length =
            std::max(length, distance(mog_cuda::hypot(x, x * y), std::hypot(static_cast<long double>(x), static_cast<long double>(x * y))));
        CHECK(mog_cuda::fmod(x, z) == std::fmod(x, z));
        CHECK(mog_cuda::remainder(at * w, by) == std::remainder(at * w, by));
        CHECK(mog_cuda::fmod(a, b) == std::fmod(a, b));
    }
    CHECK(power <= 2);
    CHECK(power_of_floats <= 1);
    CHECK(angle <= 2);
    CHECK(length <= 1);
}

TEST_CASE("inverses of distributions") {
    for (int i = 0; i < 2000; i++) {
        const double x = draw(-0.9999, 0.9999, false), tail = draw(1e-300, 1, true);
        CHECK(std::abs(std::erf(static_cast<long double>(mog_cuda::erfinv(x))) - x) < 1e-15);
        CHECK(std::abs(std::erfc(static_cast<long double>(mog_cuda::erfcinv(tail))) / tail - 1) < 3e-13);
    }
}

TEST_CASE("awkward operands are answered as C99 says") {
    const double special[] = {0.0,      -0.0,      1,   -1,    0.5,    -0.5,    2,      3,      -3,
                              INFINITY, -INFINITY, NAN, 1e300, 5e-324, -5e-324, 0x1p53, 0x1p54, 1e-300};
    const auto same = [](double a, double b) { return std::isnan(a) ? std::isnan(b) : a == b && std::signbit(a) == std::signbit(b); };
    for (const double x : special) {
#define SPECIAL(name)                                                                                                  \
    if (const double y = std::name(x); std::isnan(y) || std::isinf(y) || y == 0 || x == 0) {                           \
        INFO(fmt::format("{} of {}: {}, not {}", #name, x, mog_cuda::name(x), y));                                     \
        CHECK(same(mog_cuda::name(x), y));                                                                             \
    }                                                                                                                  \
    if (const float z = static_cast<float>(x), y = std::name(z); std::isnan(y) || std::isinf(y) || y == 0 || z == 0) { \
        INFO(fmt::format("{} of float {}: {}, not {}", #name, z, mog_cuda::name(z), y));                               \
        CHECK(same(mog_cuda::name(z), y));                                                                             \
    }
        ALL(SPECIAL)
        for (const double y : special) {
            INFO(fmt::format("of {} and {}", x, y));
            CHECK(distance(mog_cuda::pow(x, y), std::pow(static_cast<long double>(x), static_cast<long double>(y))) <= 2);
            CHECK(same(mog_cuda::atan2(x, y), std::atan2(x, y)));
            CHECK(same(mog_cuda::fmod(x, y), std::fmod(x, y)));
            CHECK(same(mog_cuda::remainder(x, y), std::remainder(x, y)));
            CHECK(same(mog_cuda::hypot(x, y), std::isnan(std::hypot(x, y)) || x == 0 || y == 0 || std::isinf(std::hypot(x, y))
                                                  ? std::hypot(x, y)
                                                  : mog_cuda::hypot(x, y)));
            CHECK(same(mog_cuda::pow(static_cast<float>(x), static_cast<float>(y)),
                       std::pow(static_cast<float>(x), static_cast<float>(y))) == true);
        }
    }
}
