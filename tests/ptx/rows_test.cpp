// rows_test.cpp: every row of ptx.def that is of lanes, in each of its forms and types, on awkward operands, against definitions written
// anew here: bit by bit as the manual has them, in __int128, or by the processor's own arithmetic.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <bit>
#include <cfenv>
#include <cmath>
#include <cstring>
#include <functional>
#include <map>
#include <set>

#include "tests/ptx/cases.hpp"

namespace mog::ptx {
namespace {

__extension__ typedef __int128 Wide128;
__extension__ typedef unsigned __int128 WideNatural;

struct Operands {
    const Opcode &opcode;
    std::array<std::uint64_t, 4> bits;
};
/// What is expected, and by how much the result may be off, relative to it; 0: not at all.
struct Expected {
    std::uint64_t bits = 0;
    double tolerance = 0;
};

unsigned width(const Operands &o) { return bits_of(o.opcode.type); }
bool with_sign(const Operands &o) { return has_sign(o.opcode.type); }
/// An operand as a number.
Wide128 number(const Operands &o, std::size_t at, unsigned bits, bool has_a_sign) {
    const std::uint64_t masked = bits == 64 ? o.bits[at] : o.bits[at] & ((std::uint64_t{1} << bits) - 1);
    if (!has_a_sign || (masked >> (bits - 1) & 1) == 0) return static_cast<Wide128>(masked);
    return static_cast<Wide128>(masked) - (static_cast<Wide128>(1) << bits);
}
Wide128 number(const Operands &o, std::size_t at) { return number(o, at, width(o), with_sign(o)); }
bool bit(std::uint64_t bits, unsigned at) { return (bits >> at & 1) != 0; }
Wide128 within(Wide128 x, Wide128 least, Wide128 most) { return x < least ? least : x > most ? most : x; }
Expected whole(Wide128 x) { return {static_cast<std::uint64_t>(x), 0}; }

float flush(float x) { return std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(0.0f, x) : x; }

/// A function of floats, of either width, as the opcode's words want it.
template <typename F>
Expected real(const Operands &o, F f, double tolerance = 0) {
    const int directions[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
    const int direction = directions[o.opcode.round == Word::rz ? 1 : o.opcode.round == Word::rm ? 2 : o.opcode.round == Word::rp ? 3 : 0];
    const auto compute = [&]<typename T>(T) {
        std::array<volatile T, 3> x;
        for (std::size_t at = 0; at < 3; ++at) {
            T value{};
            if constexpr (sizeof(T) == 4) {
                value = as_float(o.bits[at]);
                if (o.opcode.has(Word::ftz)) value = flush(value);
            } else {
                value = std::bit_cast<double>(o.bits[at]);
            }
            x[at] = value;
        }
        std::fesetround(direction);
        volatile T result = f(static_cast<T>(x[0]), static_cast<T>(x[1]), static_cast<T>(x[2]));
        std::fesetround(FE_TONEAREST);
        T out = result;
        if constexpr (sizeof(T) == 4) {
            if (o.opcode.has(Word::ftz)) out = flush(out);
        }
        if (o.opcode.has(Word::sat)) out = std::isnan(out) ? T{0} : std::fmin(std::fmax(out, T{0}), T{1});
        return out;
    };
    if (o.opcode.type == Type::f64) return {std::bit_cast<std::uint64_t>(compute(double{})), tolerance};
    return {std::bit_cast<std::uint32_t>(compute(float{})), tolerance};
}

template <typename F>
Expected halves(const Operands &o, F f, double tolerance = 0) {
    const Type type = o.opcode.type;
    const bool is_brain = type == Type::bf16 || type == Type::bf16x2, is_pair = type == Type::f16x2 || type == Type::bf16x2;
    std::uint64_t result = 0;
    for (unsigned at = 0; at < (is_pair ? 2u : 1u); ++at) {
        std::array<double, 3> x{};
        for (std::size_t operand = 0; operand < 3; ++operand) {
            auto bits = static_cast<std::uint16_t>(o.bits[operand] >> (16 * at));
            if (o.opcode.has(Word::ftz) && !is_brain && (bits & 0x7c00) == 0) bits &= 0x8000;
            x[operand] = half_value(bits, is_brain);
        }
        const auto [value, is_negative_zero] = f(x[0], x[1], x[2]);
        std::uint16_t out = nearest_half(value, is_brain, is_negative_zero);
        if (o.opcode.has(Word::ftz) && !is_brain && (out & 0x7c00) == 0) out &= 0x8000;
        const double back = half_value(out, is_brain);
        if (o.opcode.has(Word::sat)) out = std::isnan(back) || back <= 0 ? 0 : back > 1 ? nearest_half(1, is_brain, false) : out;
        if (o.opcode.has(Word::relu) && back < 0) out = 0;
        result |= static_cast<std::uint64_t>(out) << (16 * at);
    }
    return {result, tolerance};
}
/// The same of a function of doubles whose zeros have the right sign.
template <typename F>
auto by_double(F f) {
    return [f](double a, double b, double c) {
        const double value = f(a, b, c);
        return std::pair<Quad, bool>(value, std::signbit(value));
    };
}
Expected chosen(const Operands &o, bool least) {
    const auto choose = [&](double a, double b) {
        const bool sign = std::signbit(a) != std::signbit(b);
        if (o.opcode.has(Word::xorsign)) a = std::fabs(a), b = std::fabs(b);
        double result = 0;
        if (std::isnan(a) || std::isnan(b)) {
            result = o.opcode.has(Word::nan) || (std::isnan(a) && std::isnan(b)) ? std::nan("") : std::isnan(a) ? b : a;
        } else if (a == b) {
            result = std::signbit(a) == least ? a : b;
        } else {
            result = (a < b) == least ? a : b;
        }
        if (o.opcode.has(Word::xorsign) && !std::isnan(result)) result = std::copysign(result, sign ? -1 : 1);
        return result;
    };
    if (is_real(o.opcode.type) && width(o) >= 32)
        return real(o, [&]<typename T>(T a, T b, T) { return static_cast<T>(choose(static_cast<double>(a), static_cast<double>(b))); });
    return halves(o, by_double([&](double a, double b, double) { return choose(a, b); }));
}

std::uint32_t masked_shift(const Operands &o, std::uint64_t by) {
    return static_cast<std::uint32_t>(o.opcode.mode == Word::wrap ? by & 31 : std::min<std::uint64_t>(by & 0xffffffff, 32));
}

Expected pairs(const Operands &o, const std::function<Wide128(Wide128, Wide128)> &f) {
    std::uint64_t result = 0;
    for (unsigned at = 0; at < 2; ++at) {
        const auto part = [&](std::size_t operand) -> Wide128 {
            const auto bits = static_cast<std::uint16_t>(o.bits[operand] >> (16 * at));
            return o.opcode.type == Type::s16x2 ? static_cast<Wide128>(static_cast<std::int16_t>(bits)) : static_cast<Wide128>(bits);
        };
        result |= static_cast<std::uint64_t>(f(part(0), part(1)) & 0xffff) << (16 * at);
    }
    return {result, 0};
}

using Definition = std::function<Expected(const Operands &)>;
const std::map<std::string_view, Definition> &definitions() {
    using O = const Operands &;
    static const auto product = [](O o) { return number(o, 0) * number(o, 1); };
    static const auto high = [](O o) { return (number(o, 0) * number(o, 1)) >> width(o); };
    // By parts, for 128 bits do not hold 64 times 64 of naturals twice over; they just do here.
    static const auto saturated = [](Wide128 x) {
        return whole(within(x, -(static_cast<Wide128>(1) << 31), (static_cast<Wide128>(1) << 31) - 1));
    };
    static const auto wide_third = [](O o) { return number(o, 2, 2 * width(o), with_sign(o)); };
    static const auto product24 = [](O o) { return number(o, 0, 24, with_sign(o)) * number(o, 1, 24, with_sign(o)); };
    static const auto magnitude = [](Wide128 x) { return x < 0 ? -x : x; };
    static const auto third = [](O o) { return static_cast<std::uint32_t>(o.bits[2]); };
    static const auto second = [](O o) { return static_cast<std::uint32_t>(o.bits[1]); };

    static const std::map<std::string_view, Definition> all = {
        {"add", [](O o) { return whole(number(o, 0) + number(o, 1)); }},
        {"sub", [](O o) { return whole(number(o, 0) - number(o, 1)); }},
        {"add_sat", [](O o) { return saturated(number(o, 0) + number(o, 1)); }},
        {"sub_sat", [](O o) { return saturated(number(o, 0) - number(o, 1)); }},
        {"add_pair", [](O o) { return pairs(o, [](Wide128 a, Wide128 b) { return a + b; }); }},
        {"min_pair", [](O o) { return pairs(o, [](Wide128 a, Wide128 b) { return std::min(a, b); }); }},
        {"max_pair", [](O o) { return pairs(o, [](Wide128 a, Wide128 b) { return std::max(a, b); }); }},
        {"mul_lo", [](O o) { return whole(product(o)); }},
        {"mul_hi",
         [](O o) {
             return width(o) == 64 && !with_sign(o)
                        ? Expected{static_cast<std::uint64_t>(static_cast<WideNatural>(o.bits[0]) * o.bits[1] >> 64), 0}
                        : whole(high(o));
         }},
        {"mul_wide", [](O o) { return whole(product(o)); }},
        {"mad_lo", [](O o) { return whole(product(o) + number(o, 2)); }},
        {"mad_hi",
         [](O o) {
             return width(o) == 64 && !with_sign(o)
                        ? Expected{static_cast<std::uint64_t>(static_cast<WideNatural>(o.bits[0]) * o.bits[1] >> 64) + o.bits[2], 0}
                        : whole(high(o) + number(o, 2));
         }},
        {"mad_hi_sat", [](O o) { return saturated(high(o) + number(o, 2)); }},
        {"mad_wide", [](O o) { return whole(product(o) + wide_third(o)); }},
        {"mul24_lo", [](O o) { return whole(product24(o)); }},
        {"mul24_hi", [](O o) { return whole(product24(o) >> 16); }},
        {"mad24_lo", [](O o) { return whole(product24(o) + number(o, 2)); }},
        {"mad24_hi", [](O o) { return whole((product24(o) >> 16) + number(o, 2)); }},
        {"sad", [](O o) { return whole(number(o, 2) + magnitude(number(o, 0) - number(o, 1))); }},
        {"div", [](O o) { return number(o, 1) == 0 ? whole(-1) : whole(number(o, 0) / number(o, 1)); }},
        {"rem", [](O o) { return number(o, 1) == 0 ? whole(number(o, 0)) : whole(number(o, 0) % number(o, 1)); }},
        {"abs", [](O o) { return whole(magnitude(number(o, 0))); }},
        {"neg", [](O o) { return whole(-number(o, 0)); }},
        {"min", [](O o) { return whole(std::min(number(o, 0), number(o, 1))); }},
        {"max", [](O o) { return whole(std::max(number(o, 0), number(o, 1))); }},
        {"min_relu", [](O o) { return whole(std::max<Wide128>(0, std::min(number(o, 0), number(o, 1)))); }},
        {"max_relu", [](O o) { return whole(std::max<Wide128>(0, std::max(number(o, 0), number(o, 1)))); }},
        {"popc",
         [](O o) {
             unsigned count = 0;
             for (unsigned at = 0; at < width(o); ++at) count += bit(o.bits[0], at);
             return whole(count);
         }},
        {"clz",
         [](O o) {
             unsigned count = 0;
             while (count < width(o) && !bit(o.bits[0], width(o) - 1 - count)) ++count;
             return whole(count);
         }},
        {"bfind",
         [](O o) {
             const bool other = with_sign(o) && bit(o.bits[0], width(o) - 1);
             for (int at = static_cast<int>(width(o)) - 1; at >= 0; --at)
                 if (bit(o.bits[0], static_cast<unsigned>(at)) != other) return whole(at);
             return whole(0xffffffff);
         }},
        {"bfind_shift",
         [](O o) {
             const bool other = with_sign(o) && bit(o.bits[0], width(o) - 1);
             for (int at = static_cast<int>(width(o)) - 1; at >= 0; --at)
                 if (bit(o.bits[0], static_cast<unsigned>(at)) != other) return whole(static_cast<int>(width(o)) - 1 - at);
             return whole(0xffffffff);
         }},
        {"fns",
         [](O o) {
             const auto base = second(o);
             const auto offset = static_cast<std::int32_t>(o.bits[2]);
             if (base > 31) return whole(0xffffffff);
             if (offset == 0) return whole(bit(o.bits[0], base) ? base : 0xffffffff);
             std::int64_t count = std::abs(std::int64_t{offset}) - 1;
             for (int at = static_cast<int>(base); at >= 0 && at<32; at += offset> 0 ? 1 : -1) {
                 if (!bit(o.bits[0], static_cast<unsigned>(at))) continue;
                 if (count == 0) return whole(at);
                 --count;
             }
             return whole(0xffffffff);
         }},
        {"brev",
         [](O o) {
             std::uint64_t result = 0;
             for (unsigned at = 0; at < width(o); ++at) result |= static_cast<std::uint64_t>(bit(o.bits[0], at)) << (width(o) - 1 - at);
             return Expected{result, 0};
         }},
        {"bfe",
         [](O o) {
             const unsigned msb = width(o) - 1, pos = second(o) & 0xff, len = third(o) & 0xff;
             const bool sign = with_sign(o) && len != 0 && bit(o.bits[0], std::min(pos + len - 1, msb));
             std::uint64_t result = 0;
             for (unsigned at = 0; at <= msb; ++at)
                 result |= static_cast<std::uint64_t>(at < len && pos + at <= msb ? bit(o.bits[0], pos + at) : sign) << at;
             return Expected{result, 0};
         }},
        {"bfi",
         [](O o) {
             const unsigned msb = width(o) - 1, pos = third(o) & 0xff, len = static_cast<unsigned>(o.bits[3]) & 0xff;
             std::uint64_t result = o.bits[1];
             for (unsigned at = 0; at < len && pos + at <= msb; ++at)
                 result = (result & ~(std::uint64_t{1} << (pos + at))) | static_cast<std::uint64_t>(bit(o.bits[0], at)) << (pos + at);
             return Expected{result, 0};
         }},
        {"bmsk",
         [](O o) {
             const auto a = static_cast<std::uint32_t>(o.bits[0]), b = second(o);
             const bool clamps = o.opcode.mode == Word::clamp;
             std::uint32_t result = 0;
             for (std::uint32_t at = 0; at < 32; ++at)
                 if (at >= (a & 31) && (at < (a & 31) + (b & 31) || (clamps && b >= 32))) result |= 1u << at;
             return whole(clamps && a >= 32 ? 0 : result);
         }},
        {"szext",
         [](O o) {
             const auto b = second(o);
             const bool clamps = o.opcode.mode == Word::clamp;
             if (clamps && b >= 32) return Expected{o.bits[0], 0};
             if ((b & 31) == 0) return Expected{0, 0};
             return whole(number(o, 0, b & 31, with_sign(o)));
         }},
        {"dp4a",
         [](O o) {
             Wide128 sum = static_cast<std::int32_t>(o.bits[2]);
             for (unsigned at = 0; at < 4; ++at) {
                 const auto part = [&](std::size_t operand, bool has_a_sign) -> int {
                     const auto byte = static_cast<std::uint8_t>(o.bits[operand] >> (8 * at));
                     return has_a_sign ? static_cast<std::int8_t>(byte) : byte;
                 };
                 sum += part(0, with_sign(o)) * part(1, has_sign(o.opcode.second));
             }
             return whole(sum);
         }},
        {"dp2a",
         [](O o) {
             Wide128 sum = static_cast<std::int32_t>(o.bits[2]);
             for (unsigned at = 0; at < 2; ++at) {
                 const auto word = static_cast<std::uint16_t>(o.bits[0] >> (16 * at));
                 const auto byte = static_cast<std::uint8_t>(o.bits[1] >> (8 * (at + (o.opcode.mode == Word::hi ? 2 : 0))));
                 sum += (with_sign(o) ? static_cast<std::int16_t>(word) : static_cast<int>(word)) *
                        (has_sign(o.opcode.second) ? static_cast<std::int8_t>(byte) : static_cast<int>(byte));
             }
             return whole(sum);
         }},
        {"and_",
         [](O o) {
             return Expected{o.bits[0] & o.bits[1], 0};
         }},
        {"or_",
         [](O o) {
             return Expected{o.bits[0] | o.bits[1], 0};
         }},
        {"xor_",
         [](O o) {
             return Expected{o.bits[0] ^ o.bits[1], 0};
         }},
        {"not_",
         [](O o) {
             return Expected{~o.bits[0], 0};
         }},
        {"cnot", [](O o) { return whole(number(o, 0) == 0); }},
        {"and_pred",
         [](O o) {
             return Expected{o.bits[0] & o.bits[1] & 1, 0};
         }},
        {"or_pred",
         [](O o) {
             return Expected{(o.bits[0] | o.bits[1]) & 1, 0};
         }},
        {"xor_pred",
         [](O o) {
             return Expected{(o.bits[0] ^ o.bits[1]) & 1, 0};
         }},
        {"not_pred",
         [](O o) {
             return Expected{~o.bits[0] & 1, 0};
         }},
        {"lop3",
         [](O o) {
             std::uint64_t result = 0;
             for (unsigned at = 0; at < 32; ++at)
                 result |=
                     static_cast<std::uint64_t>(bit(o.bits[3], bit(o.bits[0], at) * 4u + bit(o.bits[1], at) * 2u + bit(o.bits[2], at)))
                     << at;
             return Expected{result, 0};
         }},
        {"shl",
         [](O o) {
             return second(o) >= width(o) ? whole(0) : Expected{o.bits[0] << second(o), 0};
         }},
        {"shr", [](O o) { return whole(number(o, 0) >> std::min(second(o), 100u)); }},
        {"shr_bits", [](O o) { return whole(number(o, 0) >> std::min(second(o), 100u)); }},
        {"shf_l",
         [](O o) {
             const std::uint32_t by = masked_shift(o, o.bits[2]);
             const std::uint64_t a = o.bits[0] & 0xffffffff, b = o.bits[1] & 0xffffffff;
             return Expected{b << by | (by == 0 ? 0 : a >> (32 - by)), 0};
         }},
        {"shf_r",
         [](O o) {
             const std::uint32_t by = masked_shift(o, o.bits[2]);
             const std::uint64_t a = o.bits[0] & 0xffffffff, b = o.bits[1] & 0xffffffff;
             return Expected{(by == 0 ? 0 : b << (32 - by)) | a >> by, 0};
         }},
        {"prmt",
         [](O o) {
             std::array<std::uint8_t, 8> bytes;
             for (unsigned at = 0; at < 8; ++at) bytes[at] = static_cast<std::uint8_t>(o.bits[at / 4] >> (8 * (at % 4)));
             static const std::map<Word, std::array<std::array<int, 4>, 4>> tables = {
                 {Word::f4e, {{{3, 2, 1, 0}, {4, 3, 2, 1}, {5, 4, 3, 2}, {6, 5, 4, 3}}}},
                 {Word::b4e, {{{5, 6, 7, 0}, {6, 7, 0, 1}, {7, 0, 1, 2}, {0, 1, 2, 3}}}},
                 {Word::rc8, {{{0, 0, 0, 0}, {1, 1, 1, 1}, {2, 2, 2, 2}, {3, 3, 3, 3}}}},
                 {Word::ecl, {{{3, 2, 1, 0}, {3, 2, 1, 1}, {3, 2, 2, 2}, {3, 3, 3, 3}}}},
                 {Word::ecr, {{{0, 0, 0, 0}, {1, 1, 1, 0}, {2, 2, 1, 0}, {3, 2, 1, 0}}}},
                 {Word::rc16, {{{1, 0, 1, 0}, {3, 2, 3, 2}, {1, 0, 1, 0}, {3, 2, 3, 2}}}}};
             std::uint64_t result = 0;
             for (unsigned at = 0; at < 4; ++at) {
                 std::uint8_t byte = 0;
                 if (o.opcode.mode == Word::none) {
                     const unsigned control = static_cast<unsigned>(o.bits[2] >> (4 * at)) & 15;
                     byte = bytes[control & 7];
                     if ((control & 8) != 0) byte = byte >= 128 ? 255 : 0;
                 } else {
                     byte = bytes[static_cast<std::size_t>(tables.at(o.opcode.mode)[o.bits[2] & 3][3 - at])];
                 }
                 result |= static_cast<std::uint64_t>(byte) << (8 * at);
             }
             return Expected{result, 0};
         }},
        {"selp",
         [](O o) {
             return Expected{(o.bits[2] & 1) != 0 ? o.bits[0] : o.bits[1], 0};
         }},
        {"slct",
         [](O o) {
             return Expected{static_cast<std::int32_t>(o.bits[2]) >= 0 ? o.bits[0] : o.bits[1], 0};
         }},
        {"slct_f",
         [](O o) {
             return Expected{(o.opcode.has(Word::ftz) ? flush(as_float(o.bits[2])) : as_float(o.bits[2])) >= 0 ? o.bits[0] : o.bits[1], 0};
         }},
        {"add_f", [](O o) { return real(o, [](auto a, auto b, auto) { return a + b; }); }},
        {"sub_f", [](O o) { return real(o, [](auto a, auto b, auto) { return a - b; }); }},
        {"mul_f", [](O o) { return real(o, [](auto a, auto b, auto) { return a * b; }); }},
        {"fma_f", [](O o) { return real(o, [](auto a, auto b, auto c) { return std::fma(a, b, c); }); }},
        {"mad_f", [](O o) { return real(o, [](auto a, auto b, auto c) { return std::fma(a, b, c); }); }},
        {"div_f", [](O o) { return real(o, [](auto a, auto b, auto) { return a / b; }); }},
        {"div_approx",
         [](O o) {
             return real(
                 o, [](auto a, auto b, auto) { return a / b; }, 0x1p-22);
         }},
        {"div_full",
         [](O o) {
             return real(
                 o, [](auto a, auto b, auto) { return a / b; }, 0x1p-22);
         }},
        {"div_plain", [](O o) { return real(o, [](auto a, auto b, auto) { return a / b; }); }},
        {"rcp", [](O o) { return real(o, [](auto a, auto, auto) { return 1 / a; }); }},
        {"rcp_approx",
         [](O o) {
             return real(
                 o, [](auto a, auto, auto) { return 1 / a; }, 0x1p-23);
         }},
        {"sqrt_f", [](O o) { return real(o, [](auto a, auto, auto) { return std::sqrt(a); }); }},
        {"sqrt_approx",
         [](O o) {
             return real(
                 o, [](auto a, auto, auto) { return std::sqrt(a); }, 0x1p-23);
         }},
        {"rsqrt_approx",
         [](O o) {
             return real(
                 o, [](auto a, auto, auto) { return static_cast<decltype(a)>(1 / std::sqrt(static_cast<long double>(a))); }, 0x1p-22);
         }},
        {"sin",
         [](O o) {
             return real(
                 o, [](auto a, auto, auto) { return static_cast<decltype(a)>(std::sin(static_cast<double>(a))); }, 0x1p-20);
         }},
        {"cos",
         [](O o) {
             return real(
                 o, [](auto a, auto, auto) { return static_cast<decltype(a)>(std::cos(static_cast<double>(a))); }, 0x1p-20);
         }},
        {"lg2",
         [](O o) {
             return real(
                 o, [](auto a, auto, auto) { return static_cast<decltype(a)>(std::log2(static_cast<double>(a))); }, 0x1p-22);
         }},
        {"ex2",
         [](O o) {
             return real(
                 o, [](auto a, auto, auto) { return static_cast<decltype(a)>(std::exp2(static_cast<double>(a))); }, 0x1p-22);
         }},
        {"tanh",
         [](O o) {
             return real(
                 o, [](auto a, auto, auto) { return static_cast<decltype(a)>(std::tanh(static_cast<double>(a))); }, 0x1p-11);
         }},
        {"abs_f", [](O o) { return real(o, [](auto a, auto, auto) { return std::fabs(a); }); }},
        {"neg_f", [](O o) { return real(o, [](auto a, auto, auto) { return -a; }); }},
        {"min_f", [](O o) { return chosen(o, true); }},
        {"max_f", [](O o) { return chosen(o, false); }},
        {"copysign", [](O o) { return real(o, [](auto a, auto b, auto) { return std::copysign(b, a); }); }},
        {"testp",
         [](O o) {
             const double x = o.opcode.type == Type::f32 ? as_float(o.bits[0]) : std::bit_cast<double>(o.bits[0]);
             const int what = o.opcode.type == Type::f32 ? std::fpclassify(as_float(o.bits[0])) : std::fpclassify(x);
             switch (o.opcode.mode) {
                 case Word::finite: return whole(std::isfinite(x));
                 case Word::infinite: return whole(std::isinf(x));
                 case Word::number: return whole(!std::isnan(x));
                 case Word::notanumber: return whole(std::isnan(x));
                 case Word::normal: return whole(what == FP_NORMAL || what == FP_ZERO ? what == FP_NORMAL : 0);
                 default: return whole(what == FP_SUBNORMAL);
             }
         }},
        {"add_h", [](O o) { return halves(o, by_double([](double a, double b, double) { return a + b; })); }},
        {"sub_h", [](O o) { return halves(o, by_double([](double a, double b, double) { return a - b; })); }},
        {"mul_h", [](O o) { return halves(o, by_double([](double a, double b, double) { return a * b; })); }},
        {"fma_h",
         [](O o) {
             return halves(o, [](double a, double b, double c) {
                 const Quad exact = static_cast<Quad>(a) * b + c;
                 return std::pair<Quad, bool>(exact, std::signbit(std::fma(a, b, c)));
             });
         }},
        {"neg_h", [](O o) { return halves(o, by_double([](double a, double, double) { return -a; })); }},
        {"abs_h", [](O o) { return halves(o, by_double([](double a, double, double) { return std::fabs(a); })); }},
        {"min_h", [](O o) { return chosen(o, true); }},
        {"max_h", [](O o) { return chosen(o, false); }},
        {"tanh_h", [](O o) { return halves(o, by_double([](double a, double, double) { return std::tanh(a); }), 0x1p-7); }},
        {"ex2_h", [](O o) { return halves(o, by_double([](double a, double, double) { return std::exp2(a); }), 0x1p-7); }},
    };
    return all;
}

// --- Opcodes ---

bool is_close(const Case &one, std::uint64_t got, const Expected &wanted) {
    const Type type = one.types[0];
    const unsigned bits = bits_of(type);
    const std::uint64_t mask = bits == 64 ? ~std::uint64_t{0} : bits == 1 ? 1 : (std::uint64_t{1} << bits) - 1;
    const std::uint64_t a = got & mask, b = wanted.bits & mask;
    const auto same = [&](double x, double y) {
        if (std::isnan(x) || std::isnan(y)) return std::isnan(x) && std::isnan(y);
        if (wanted.tolerance == 0) return x == y && std::signbit(x) == std::signbit(y);
        return x == y || std::fabs(x - y) <= wanted.tolerance * std::max(1e-6, std::fabs(y));
    };
    if (a == b) return true;
    if (type == Type::f32) return same(as_float(a), as_float(b));
    if (type == Type::f64) return same(std::bit_cast<double>(a), std::bit_cast<double>(b));
    if (type == Type::f16 || type == Type::bf16 || type == Type::f16x2 || type == Type::bf16x2) {
        const bool is_brain = type == Type::bf16 || type == Type::bf16x2;
        for (unsigned at = 0; at < bits; at += 16)
            if (!same(half_value(static_cast<std::uint16_t>(a >> at), is_brain), half_value(static_cast<std::uint16_t>(b >> at), is_brain)))
                return false;
        return true;
    }
    return false;
}

void look_at(Module &module, const Case &one, const Definition &definition) {
    for (const Outcome &outcome : outcomes(module, one)) {
        const Expected wanted = definition({one.opcode, outcome.operands});
        if (is_close(one, outcome.result, wanted)) continue;
        FAIL_CHECK(fmt::format("{} of {:#x}, {:#x}, {:#x}, {:#x} is {:#x}, not {:#x}", one.opcode.text, outcome.operands[0],
                               outcome.operands[1], outcome.operands[2], outcome.operands[3], outcome.result, wanted.bits));
        return;
    }
}

}  // namespace

TEST_CASE("each row of lanes does what the manual says, in all its forms") {
    std::set<std::string_view> seen;
    for (std::size_t at = 0; at < form_count(); ++at) {
        const FormInfo &form = info(static_cast<Form>(at));
        if (form.action != Action::lanes) continue;
        const auto definition = definitions().find(form.id);
        if (definition == definitions().end()) {
            FAIL_CHECK(fmt::format("no definition of {}", form.id));
            continue;
        }
        seen.insert(form.id);
        std::vector<Case> cases;
        std::string text = head_of_module();
        for (const Type type : form.types) {
            std::vector<std::string> opcodes;
            expand(form.pattern.substr(form.root.size()), type, std::string(form.root), opcodes);
            for (const std::string &opcode : opcodes) {
                // The manual has .ftz and .sat for no doubles; and an earlier row may take this one.
                if (type == Type::f64 &&
                    (opcode.find(".ftz") != opcode.npos || opcode.find(".sat") != opcode.npos || opcode.find(".NaN") != opcode.npos))
                    continue;
                if ((opcode.find(".xorsign") != opcode.npos) != (opcode.find(".abs") != opcode.npos && form.root != "abs")) continue;
                auto understood = understand(opcode);
                REQUIRE_MESSAGE(understood, understood.error().message);
                if (static_cast<std::size_t>(understood->form) != at) continue;
                Case one{fmt::format("k{}", cases.size()), std::move(*understood), {}};
                for (const OperandSpec &spec : form.operands) one.types.push_back(type_of(spec, type));
                text += kernel_of(one);
                cases.push_back(std::move(one));
            }
        }
        REQUIRE_MESSAGE(!cases.empty(), form.id);
        auto module = Module::load(text, std::string(form.id));
        REQUIRE_MESSAGE(module, module.error().text());
        for (const Case &one : cases) look_at(**module, one, definition->second);
    }
    for (const auto &[id, unused] : definitions()) CHECK_MESSAGE(seen.contains(id), id);
}

}  // namespace mog::ptx
