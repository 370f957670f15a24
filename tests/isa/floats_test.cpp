// floats_test.cpp: soft_float.h against the processor's own arithmetic, results and exceptions, in all roundings, and the error
// of pair_float.h against soft_float.h.
//
//     isa_floats COUNT [SEED]       operands are random, most of them near an edge
//
// x86 and MIPS agree but for NaNs: the bit that says which kind a NaN is means the reverse, and so operands' are turned round.
#include <cfenv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>

#if !defined(__x86_64__)
int main() {
    std::puts("skipped: knows the FPU of x86-64 only");
    return 77;
}
#else
#include <emmintrin.h>

namespace {
#define MOG_F64
#define MOG_DOUBLE_PAIR
// Each stands on the one before.
// clang-format off
#include "interp_templates/arithmetic/float_modes.h"
#include "interp_templates/dialects/dialect_host.h"
#include "interp_templates/arithmetic/soft_float.h"
#include "interp_templates/arithmetic/pair_float.h"
// clang-format on

std::mt19937_64 random_bits;
long wrong = 0;

constexpr int host_rounding[] = {FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};

u32 host_flags() {
    const int raised = std::fetestexcept(FE_ALL_EXCEPT);
    return (raised & FE_INEXACT ? MOG_FP_INEXACT : 0u) | (raised & FE_UNDERFLOW ? MOG_FP_UNDERFLOW : 0u) |
           (raised & FE_OVERFLOW ? MOG_FP_OVERFLOW : 0u) | (raised & FE_DIVBYZERO ? MOG_FP_DIVIDE : 0u) |
           (raised & FE_INVALID ? MOG_FP_INVALID : 0u);
}

/// A bit pattern with f fraction bits: zeros, infinities, NaNs, denormals, halfway cases, and anything.
u64 operand(u32 f) {
    const u64 mask = (1ul << f) - 1ul, r = random_bits() & mask, cut = random_bits() % f;
    const auto top = static_cast<u64>(SOFT_TOP(f)), bias = static_cast<u64>(SOFT_BIAS(f));
    const u64 sign = random_bits() & 1 ? SOFT_SIGN(f) : 0;
    const auto make = [&](u64 exponent, u64 fraction) { return sign | exponent << f | fraction; };
    switch (random_bits() % 12) {
        case 0: return sign;
        case 1: return make(top, 0);
        case 2: return make(top, r | 1);
        case 3: return make(0, r);
        case 4: return make(0, r >> cut);
        case 5: return make(top - 1, mask - (r >> cut));
        case 6: return make(bias - 35 + random_bits() % 70, r);
        case 7: return make(bias - 4 + random_bits() % 8, r & ~0ul << cut);
        case 8: return make(random_bits() % top, r);
        case 9: return make(random_bits() % 4, r >> cut);
        case 10: return make(bias + cut, r & ~0ul << (random_bits() % f));
        default: return make(bias / 2 - 30 + random_bits() % 60, random_bits() & 1 ? r : mask - (r >> cut));
    }
}

template <typename T, typename Bits>
class Format {
public:
    void check(u32 f) {
        f_ = f;
        const auto turned = [&](u64 x) { return SOFT_IS_NAN(x, f) ? x ^ 1ul << (f - 1) : x; };
        a_ = operand(f);
        b_ = random_bits() % 16 ? operand(f) : a_ ^ (random_bits() & 1 ? SOFT_SIGN(f) : 0) ^ (random_bits() & 3);
        // A NaN whose only bit is the one that is turned round would become an infinity.
        for (u64 *x : {&a_, &b_})
            if (!SOFT_IS_NAN(turned(*x), f) && SOFT_IS_NAN(*x, f)) *x |= 1;
        mode_ = static_cast<u32>(random_bits() & 3);
        const volatile T x = value(turned(a_)), y = value(turned(b_));
        const u64 minus_b = b_ ^ SOFT_SIGN(f);
        compare(
            "+", [&] { return bits(x + y); }, [&](Fpu *fpu) { return soft_add(a_, b_, f, fpu); });
        compare(
            "-", [&] { return bits(x - y); }, [&](Fpu *fpu) { return soft_add(a_, minus_b, f, fpu); });
        compare(
            "*", [&] { return bits(x * y); }, [&](Fpu *fpu) { return soft_multiply(a_, b_, f, fpu); });
        compare(
            "/", [&] { return bits(x / y); }, [&](Fpu *fpu) { return soft_divide(a_, b_, f, fpu); });
        compare(
            "root", [&] { return bits(root(x)); }, [&](Fpu *fpu) { return soft_root(a_, f, fpu); });
        compare(
            "<", [&] { return u64{x < y}; }, [&](Fpu *fpu) { return u64{soft_compare(a_, b_, f, 1u, fpu) == SOFT_LESS}; });
        compare(
            "=", [&] { return u64{x == y}; }, [&](Fpu *fpu) { return u64{soft_compare(a_, b_, f, 0u, fpu) == SOFT_EQUAL}; });
        compare(
            "to integer", [&] { return u64{to_integer(x)}; }, [&](Fpu *fpu) { return u64{soft_to_integer(a_, f, fpu->rounding, fpu)}; });
        const u32 n = static_cast<u32>(random_bits() >> (32 + random_bits() % 32));
        compare(
            "of integer", [&] { return bits(static_cast<T>(static_cast<i32>(n))); }, [&](Fpu *fpu) { return SOFT_FROM_SIGNED(n, f, fpu); });
        if constexpr (sizeof(T) == 8)
            compare(
                "to float", [&] { return Format<float, u32>().bits(static_cast<float>(x)); },
                [&](Fpu *fpu) { return soft_convert(a_, 52u, 23u, fpu); });
        else
            compare(
                "to double", [&] { return Format<double, u64>().bits(static_cast<double>(x)); },
                [&](Fpu *fpu) { return soft_convert(a_, 23u, 52u, fpu); });
    }

    /// The result's bits; whatever the NaN, MIPS's.
    u64 bits(T result) const {
        Bits pattern;
        std::memcpy(&pattern, &result, sizeof pattern);
        return result != result ? SOFT_NAN(sizeof(T) == 4 ? 23u : 52u) : u64{pattern};
    }

private:
    static T value(u64 x) {
        const auto pattern = static_cast<Bits>(x);
        T result;
        std::memcpy(&result, &pattern, sizeof result);
        return result;
    }
    static T root(T x) {
        return sizeof(T) == 4 ? static_cast<T>(__builtin_sqrtf(static_cast<float>(x))) : static_cast<T>(__builtin_sqrt(x));
    }
    /// cvtss2si, cvtsd2si: by the current rounding; what has none is MIPS's 0x7fffffff.
    static u32 to_integer(T x) {
        const volatile int n = sizeof(T) == 4 ? _mm_cvtss_si32(_mm_set_ss(static_cast<float>(x))) : _mm_cvtsd_si32(_mm_set_sd(x));
        return std::fetestexcept(FE_INVALID) ? 0x7fffffffu : static_cast<u32>(n);
    }

    template <typename Host, typename Soft>
    void compare(const char *operation, Host host, Soft soft) {
        std::fesetround(host_rounding[mode_]);
        std::feclearexcept(FE_ALL_EXCEPT);
        const u64 expected = host();
        const u32 raised = host_flags();
        std::fesetround(FE_TONEAREST);
        Fpu fpu = {mode_, 0u, 0u};
        const u64 got = soft(&fpu);
        if (got == expected && fpu.raised == raised) return;
        if (++wrong <= 20)
            std::printf("%s of %#lx, %#lx, rounding %u: %#lx, exceptions %#x; the processor has %#lx, %#x\n", operation, a_, b_, mode_, got,
                        fpu.raised, expected, raised);
    }

    u32 f_ = 0, mode_ = 0;
    u64 a_ = 0, b_ = 0;
};

/// The largest error of each operation, relative to the right result, must be as small as docs/floating-point.md promises.
void check_pairs(long count) {
    double worst[3] = {};
    for (long i = 0; i < count; i++) {
        const u64 a = operand(52u), b = operand(52u);
        const u64 magnitude = a & ~SOFT_SIGN(52u);
        Fpu fpu = {0u, 0u, 0u};
        const u64 right[3] = {soft_multiply(a, b, 52u, &fpu), soft_divide(a, b, 52u, &fpu), soft_root(magnitude, 52u, &fpu)};
        const u64 pair[3] = {pair_multiply(a, b, &fpu), pair_divide(a, b, &fpu), pair_root(magnitude, &fpu)};
        for (int k = 0; k < 3; k++) {
            const double x = W2D(right[k]), y = W2D(pair[k]);
            if (right[k] == pair[k]) continue;
            // Among denormals, and at the end of the range, neighbours stand far apart.
            const double error =
                std::fabs(x) < 0x1p-1000 || std::isinf(x) || std::isinf(y)
                    ? (std::fabs(x) < 0x1p-1000 && std::fabs(y - x) <= 0x1p-1046) ||
                              std::fabs(std::ldexp(x, -1) - std::ldexp(y, -1)) < 0x1p978 ||
                              (std::isinf(x) != std::isinf(y) && std::fmin(std::fabs(x), std::fabs(y)) > 0x1.fffffffffff0p1023)
                          ? 0.0
                          : 1.0
                    : std::fabs(y - x) / std::fabs(x);
            if (error > worst[k]) worst[k] = error;
        }
    }
    const char *names[] = {"product", "quotient", "root"};
    for (int k = 0; k < 3; k++) {
        std::printf("pairs of floats: %s: relative error up to 2^%.2f\n", names[k], std::log2(worst[k]));
        if (!(worst[k] <= 0x1p-45)) wrong++;
        // Pairs that were exact would not be pairs.
        if (!(worst[k] >= 0x1p-52)) wrong++;
    }
}

}  // namespace

int main(int argc, char **argv) {
    const long count = argc > 1 ? std::atol(argv[1]) : 100000;
    random_bits.seed(argc > 2 ? static_cast<unsigned long>(std::atol(argv[2])) : 1);
    for (long i = 0; i < count; i++) {
        Format<float, u32>().check(23u);
        Format<double, u64>().check(52u);
    }
    check_pairs(count);
    std::printf("%ld operands of each format, %ld differences\n", count, wrong);
    return wrong ? 1 : 0;
}
#endif
