// meanings.h: the words that the meanings in ptx.def are written in: arithmetic on the numbers of one lane as PTX defines it.
//
// It is compiled several times, for processors with more and less, each time in a namespace of its own (MOG_PTX_TIER), and so uses nothing
// of the standard library that could be left out of line. Contraction of a * b + c has to be off, integers wrap.
#pragma once

#include <cstdint>
#include <type_traits>

#ifndef MOG_PTX_TIER
#define MOG_PTX_TIER portable
#endif

namespace mog::ptx {
namespace MOG_PTX_TIER {

__extension__ typedef __int128 Integer128;
__extension__ typedef unsigned __int128 Natural128;

// --- Types ---

template <typename U>
struct Bits {
    U bits;
    friend bool operator==(Bits a, Bits b) { return a.bits == b.bits; }
    friend bool operator!=(Bits a, Bits b) { return a.bits != b.bits; }
};
using Bits8 = Bits<std::uint8_t>;
using Bits16 = Bits<std::uint16_t>;
using Bits32 = Bits<std::uint32_t>;
using Bits64 = Bits<std::uint64_t>;
struct Half {
    std::uint16_t bits;
};
struct Brain {
    std::uint16_t bits;
};
struct HalfPair {
    using Element = Half;
    std::uint32_t bits;
};
struct BrainPair {
    using Element = Brain;
    std::uint32_t bits;
};
struct NaturalPair {
    using Element = std::uint16_t;
    std::uint32_t bits;
};
struct IntegerPair {
    using Element = std::int16_t;
    std::uint32_t bits;
};

template <typename T>
inline constexpr bool is_half = std::is_same_v<T, Half> || std::is_same_v<T, Brain>;
template <typename T>
inline constexpr bool is_float = std::is_same_v<T, float> || std::is_same_v<T, double>;
template <typename T>
inline constexpr bool is_signed = std::is_signed_v<T>;

// clang-format off
template <typename T> struct Twice {};
template <> struct Twice<std::uint8_t> { using type = std::uint16_t; };
template <> struct Twice<std::int8_t> { using type = std::int16_t; };
template <> struct Twice<std::uint16_t> { using type = std::uint32_t; };
template <> struct Twice<std::int16_t> { using type = std::int32_t; };
template <> struct Twice<std::uint32_t> { using type = std::uint64_t; };
template <> struct Twice<std::int32_t> { using type = std::int64_t; };
template <> struct Twice<std::uint64_t> { using type = Natural128; };
template <> struct Twice<std::int64_t> { using type = Integer128; };
// clang-format on
template <typename T>
using Wide = typename Twice<T>::type;
/// Unsigned, and at least as wide as int, so that nothing is promoted to what overflows.
template <typename T>
using Modulo = std::conditional_t<(sizeof(T) < 4), std::uint32_t, std::make_unsigned_t<T>>;

template <typename To, typename From>
[[gnu::always_inline]] inline To bits_as(From from) {
    return __builtin_bit_cast(To, from);
}

// --- Modes ---

enum : std::uint32_t {
    mode_ftz = 1,
    mode_sat = 2,
    mode_nan = 4,
    mode_xorsign = 8,
    mode_relu = 16,
    mode_wrap = 32,
    mode_signed_second = 64,
    mode_high = 128,
    mode_choice = 256,       ///< a choice among up to eight, in three bits: of prmt and testp
    mode_round = 2048,       ///< Rounding, in two bits
    mode_to_integer = 8192,  ///< of cvt: to a whole number
};
enum class Rounding : std::uint8_t { nearest, zero, down, up };

inline bool is_subnormal(float x) { return (bits_as<std::uint32_t>(x) & 0x7f800000u) == 0; }
inline float flushed(float x) { return is_subnormal(x) ? bits_as<float>(bits_as<std::uint32_t>(x) & 0x80000000u) : x; }
inline double flushed(double x) { return x; }
template <typename T>
inline T clamped(T x) {
    return x > T{0} ? (x < T{1} ? x : T{1}) : T{0};
}

struct Plain {
    static constexpr bool is_plain = true;
    template <typename T>
    static T in(T x) {
        return x;
    }
    template <typename T>
    static T out(T x) {
        return x;
    }
    static constexpr bool is(std::uint32_t) { return false; }
    static constexpr unsigned choice() { return 0; }
    static constexpr Rounding rounding() { return Rounding::nearest; }
};

struct Flush : Plain {
    static constexpr bool is_plain = false;
    template <typename T>
    static T in(T x) {
        return flushed(x);
    }
    template <typename T>
    static T out(T x) {
        return flushed(x);
    }
    static constexpr bool is(std::uint32_t mode) { return mode == mode_ftz; }
};

/// Modes that are known when a kernel is loaded. Rounding of sums, products and the like is the processor's, set around them.
struct AnyModes {
    static constexpr bool is_plain = false;
    std::uint32_t modes;
    template <typename T>
    T in(T x) const {
        return is(mode_ftz) ? flushed(x) : x;
    }
    template <typename T>
    T out(T x) const {
        if (is(mode_ftz)) x = flushed(x);
        if (is(mode_relu)) x = x < T{0} ? T{0} : x;
        return is(mode_sat) ? clamped(x) : x;
    }
    bool is(std::uint32_t mode) const { return (modes & mode) != 0; }
    unsigned choice() const { return modes / mode_choice % 8; }
    Rounding rounding() const { return static_cast<Rounding>(modes / mode_round % 4); }
};

// --- Integers ---

template <typename T, typename F>
inline T wrapped(T a, T b, F f) {
    return static_cast<T>(f(static_cast<Modulo<T>>(a), static_cast<Modulo<T>>(b)));
}
template <typename T>
inline T sum(T a, T b) {
    return static_cast<T>(static_cast<Modulo<T>>(a) + static_cast<Modulo<T>>(b));
}
template <typename T>
inline T difference(T a, T b) {
    return static_cast<T>(static_cast<Modulo<T>>(a) - static_cast<Modulo<T>>(b));
}
template <typename T>
inline T low_product(T a, T b) {
    return static_cast<T>(static_cast<Modulo<T>>(a) * static_cast<Modulo<T>>(b));
}
template <typename T>
inline T high_product(T a, T b) {
    return static_cast<T>((static_cast<Wide<T>>(a) * static_cast<Wide<T>>(b)) >> (8 * sizeof(T)));
}
inline std::int32_t saturated(std::int64_t x) {
    return static_cast<std::int32_t>(x < -2147483648LL ? -2147483648LL : x > 2147483647LL ? 2147483647LL : x);
}
template <typename T>
inline std::int64_t product24(T a, T b) {
    const auto low = [](T x) -> std::int64_t {
        if constexpr (is_signed<T>) {
            return static_cast<std::int32_t>(static_cast<std::uint32_t>(x) << 8) >> 8;
        } else {
            return x & 0xffffffu;
        }
    };
    return low(a) * low(b);
}
/// By zero: all bits.
template <typename T>
inline T quotient(T a, T b) {
    if (b == 0) return static_cast<T>(~T{0});
    if constexpr (is_signed<T>) {
        if (b == -1) return difference(T{0}, a);
    }
    return static_cast<T>(a / b);
}
/// By zero: what was to be divided.
template <typename T>
inline T remainder(T a, T b) {
    if (b == 0) return a;
    if constexpr (is_signed<T>) {
        if (b == -1) return 0;
    }
    return static_cast<T>(a % b);
}
inline std::uint32_t zeros_above(std::uint32_t x) { return x == 0 ? 32 : static_cast<std::uint32_t>(__builtin_clz(x)); }
inline std::uint32_t zeros_above(std::uint64_t x) { return x == 0 ? 64 : static_cast<std::uint32_t>(__builtin_clzll(x)); }
template <typename T>
inline std::uint32_t highest_bit(T a) {
    using U = std::make_unsigned_t<T>;
    U x = static_cast<U>(a);
    if constexpr (is_signed<T>) {
        if (a < 0) x = ~x;
    }
    return x == 0 ? ~0u : static_cast<std::uint32_t>(8 * sizeof(T) - 1) - zeros_above(x);
}
inline std::uint32_t nth_set_bit(std::uint32_t mask, std::uint32_t base, std::int32_t offset) {
    if (base > 31) return ~0u;
    if (offset == 0) return (mask >> base & 1) != 0 ? base : ~0u;
    std::int64_t left = offset > 0 ? std::int64_t{offset} - 1 : -std::int64_t{offset} - 1;
    for (int at = static_cast<int>(base); at >= 0 && at<32; at += offset> 0 ? 1 : -1)
        if ((mask >> at & 1) != 0 && left-- == 0) return static_cast<std::uint32_t>(at);
    return ~0u;
}
inline std::uint32_t reversed(std::uint32_t x) {
    x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
    x = (x >> 8 & 0x00ff00ffu) | (x & 0x00ff00ffu) << 8;
    return x >> 16 | x << 16;
}
inline std::uint64_t reversed(std::uint64_t x) {
    return std::uint64_t{reversed(static_cast<std::uint32_t>(x))} << 32 | reversed(static_cast<std::uint32_t>(x >> 32));
}
template <typename T>
inline T bit_field(T a, std::uint32_t b, std::uint32_t c) {
    using U = std::make_unsigned_t<T>;
    constexpr unsigned width = 8 * sizeof(T);
    const unsigned at = b & 0xff, length = c & 0xff;
    const U whole = static_cast<U>(a);
    const U shifted = at < width ? whole >> at : U{0};
    unsigned kept = at < width ? width - at : 0;
    if (length < kept) kept = length;
    const U mask = kept >= width ? static_cast<U>(~U{0}) : static_cast<U>((U{1} << kept) - 1);
    U result = shifted & mask;
    if constexpr (is_signed<T>) {
        unsigned sign_at = at + length - 1;
        if (sign_at > width - 1) sign_at = width - 1;
        if (length != 0 && (whole >> sign_at & 1) != 0) result |= static_cast<U>(~mask);
    }
    return static_cast<T>(result);
}
template <typename U>
inline U insert_field(U a, U b, std::uint32_t c, std::uint32_t d) {
    constexpr unsigned width = 8 * sizeof(U);
    const unsigned at = c & 0xff, length = d & 0xff;
    if (at >= width) return b;
    const U ones = length >= width ? static_cast<U>(~U{0}) : static_cast<U>((U{1} << length) - 1);
    const U mask = static_cast<U>(ones << at);
    return static_cast<U>((b & ~mask) | (static_cast<U>(a << at) & mask));
}
inline std::uint32_t bit_mask(std::uint32_t a, std::uint32_t b, bool is_wrap) {
    const std::uint32_t end = (a & 31) + (b & 31);
    std::uint32_t from = ~0u << (a & 31), behind = end >= 32 ? 0 : ~0u << end;
    if (!is_wrap && a >= 32) from = 0;
    if (!is_wrap && (a >= 32 || b >= 32)) behind = 0;
    return from & ~behind;
}
template <typename T>
inline T extended_from(T a, std::uint32_t b, bool is_wrap) {
    const bool is_whole = b >= 32 && !is_wrap;
    const std::uint32_t bits = b & 31, x = static_cast<std::uint32_t>(a), mask = is_whole ? 0 : ~0u << bits;
    const bool sign = is_signed<T> && bits != 0 && !is_whole && (x >> (bits - 1) & 1) != 0;
    return static_cast<T>((x & ~mask) | (sign ? mask : 0));
}
inline std::int32_t part_of(std::uint32_t x, unsigned bits, unsigned at, bool has_sign) {
    const std::uint32_t top = x << (32 - bits - at * bits);
    return has_sign ? static_cast<std::int32_t>(top) >> (32 - bits) : static_cast<std::int32_t>(top >> (32 - bits));
}
inline std::int32_t dot4(std::uint32_t a, std::uint32_t b, std::int32_t c, bool a_signed, bool b_signed) {
    auto result = static_cast<std::uint32_t>(c);
    for (unsigned at = 0; at < 4; ++at) result += static_cast<std::uint32_t>(part_of(a, 8, at, a_signed) * part_of(b, 8, at, b_signed));
    return static_cast<std::int32_t>(result);
}
inline std::int32_t dot2(std::uint32_t a, std::uint32_t b, std::int32_t c, bool a_signed, bool b_signed, bool is_high) {
    auto result = static_cast<std::uint32_t>(c);
    for (unsigned at = 0; at < 2; ++at)
        result += static_cast<std::uint32_t>(part_of(a, 16, at, a_signed) * part_of(b, 8, at + (is_high ? 2 : 0), b_signed));
    return static_cast<std::int32_t>(result);
}

// --- Bits ---

inline std::uint32_t by_table(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t table) {
    std::uint32_t result = 0;
    for (unsigned at = 0; at < 8; ++at)
        result |= (table >> at & 1 ? ~0u : 0u) & ((at & 4) != 0 ? a : ~a) & ((at & 2) != 0 ? b : ~b) & ((at & 1) != 0 ? c : ~c);
    return result;
}
template <typename U>
inline U shifted_left(U a, std::uint32_t b) {
    return b >= 8 * sizeof(U) ? U{0} : static_cast<U>(static_cast<Modulo<U>>(a) << b);
}
template <typename T>
inline T shifted_right(T a, std::uint32_t b) {
    constexpr std::uint32_t most = 8 * sizeof(T) - 1;
    if constexpr (is_signed<T>) {
        return static_cast<T>(a >> (b > most ? most : b));
    } else {
        return b > most ? T{0} : static_cast<T>(a >> b);
    }
}
inline std::uint32_t funnel_left(std::uint32_t a, std::uint32_t b, std::uint32_t c, bool is_wrap) {
    const std::uint32_t by = is_wrap ? c & 31 : c > 32 ? 32 : c;
    return static_cast<std::uint32_t>((std::uint64_t{b} << 32 | a) << by >> 32);
}
inline std::uint32_t funnel_right(std::uint32_t a, std::uint32_t b, std::uint32_t c, bool is_wrap) {
    const std::uint32_t by = is_wrap ? c & 31 : c > 32 ? 32 : c;
    return static_cast<std::uint32_t>((std::uint64_t{b} << 32 | a) >> by);
}
/// Which word of prmt there is: none, f4e, b4e, rc8, ecl, ecr, rc16.
template <typename M>
inline std::uint32_t permuted(std::uint32_t a, std::uint32_t b, std::uint32_t c, M m) {
    const std::uint64_t bytes = std::uint64_t{b} << 32 | a;
    const std::uint32_t control = c & 3;
    std::uint32_t result = 0;
    for (std::uint32_t at = 0; at < 4; ++at) {
        std::uint32_t from = 0;
        bool is_sign = false;
        switch (m.choice()) {
            case 0:
                from = c >> (4 * at) & 7;
                is_sign = (c >> (4 * at) & 8) != 0;
                break;
            case 1: from = control + at; break;
            case 2: from = (control - at) & 7; break;
            case 3: from = control; break;
            case 4: from = at > control ? at : control; break;
            case 5: from = at < control ? at : control; break;
            default: from = (control & 1) * 2 + (at & 1); break;
        }
        auto byte = static_cast<std::uint32_t>(bytes >> (8 * from)) & 0xff;
        if (is_sign) byte = (byte & 0x80) != 0 ? 0xff : 0;
        result |= byte << (8 * at);
    }
    return result;
}
template <typename Pair, typename F>
inline Pair each(Pair a, Pair b, F f) {
    using E = typename Pair::Element;
    const auto low = static_cast<std::uint16_t>(f(static_cast<E>(a.bits), static_cast<E>(b.bits)));
    const auto high = static_cast<std::uint16_t>(f(static_cast<E>(a.bits >> 16), static_cast<E>(b.bits >> 16)));
    return Pair{static_cast<std::uint32_t>(high) << 16 | low};
}

// --- Floating point ---

inline float fused(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
inline double fused(double a, double b, double c) { return __builtin_fma(a, b, c); }
inline float square_root(float x) { return __builtin_sqrtf(x); }
inline double square_root(double x) { return __builtin_sqrt(x); }
inline float inverse_root(float x) { return static_cast<float>(1.0 / __builtin_sqrt(static_cast<double>(x))); }
inline double inverse_root(double x) { return 1.0 / __builtin_sqrt(x); }
inline float magnitude(float x) { return bits_as<float>(bits_as<std::uint32_t>(x) & 0x7fffffffu); }
inline double magnitude(double x) { return bits_as<double>(bits_as<std::uint64_t>(x) & ~(std::uint64_t{1} << 63)); }
inline float negated(float x) { return bits_as<float>(bits_as<std::uint32_t>(x) ^ 0x80000000u); }
inline double negated(double x) { return bits_as<double>(bits_as<std::uint64_t>(x) ^ std::uint64_t{1} << 63); }
inline float with_sign_of(float x, float sign) {
    return bits_as<float>((bits_as<std::uint32_t>(x) & 0x7fffffffu) | (bits_as<std::uint32_t>(sign) & 0x80000000u));
}
inline double with_sign_of(double x, double sign) {
    constexpr std::uint64_t top = std::uint64_t{1} << 63;
    return bits_as<double>((bits_as<std::uint64_t>(x) & ~top) | (bits_as<std::uint64_t>(sign) & top));
}
inline bool has_sign(float x) { return (bits_as<std::uint32_t>(x) >> 31) != 0; }
inline bool has_sign(double x) { return (bits_as<std::uint64_t>(x) >> 63) != 0; }
template <typename T>
inline T a_nan() {
    if constexpr (sizeof(T) == 4) {
        return bits_as<T>(0x7fffffffu);
    } else {
        return bits_as<T>(std::uint64_t{0x7fffffffffffffff});
    }
}
/// -0 is less than 0.
template <typename T>
inline bool is_less(T a, T b) {
    return a < b || (a == b && has_sign(a) && !has_sign(b));
}
template <typename T, typename M>
inline T chosen_of(T a, T b, M m, bool least) {
    const bool sign = has_sign(a) != has_sign(b);
    if (m.is(mode_xorsign)) {
        a = magnitude(a);
        b = magnitude(b);
    }
    T result = is_less(a, b) == least ? a : b;
    if (a != a || b != b) result = m.is(mode_nan) || (a != a && b != b) ? a_nan<T>() : a != a ? b : a;
    if (m.is(mode_xorsign) && result == result) result = with_sign_of(result, sign ? T{-1} : T{1});
    return m.is(mode_relu) && result < T{0} ? T{0} : result;
}
template <typename T, typename M>
inline T least_of(T a, T b, M m) {
    return chosen_of(a, b, m, true);
}
template <typename T, typename M>
inline T most_of(T a, T b, M m) {
    return chosen_of(a, b, m, false);
}
/// Which class is asked for: finite, infinite, number, notanumber, normal, subnormal.
template <typename T, typename M>
inline bool is_of_class(T a, M m) {
    const bool is_number = a == a;
    const T size = magnitude(a);
    const bool is_infinite = size > (sizeof(T) == 4 ? static_cast<T>(3.402823466e+38f) : static_cast<T>(1.7976931348623157e308));
    const T least = sizeof(T) == 4 ? static_cast<T>(1.17549435e-38f) : static_cast<T>(2.2250738585072014e-308);
    switch (m.choice()) {
        case 0: return is_number && !is_infinite;
        case 1: return is_infinite;
        case 2: return is_number;
        case 3: return !is_number;
        case 4: return is_number && !is_infinite && size >= least;
        default: return size > 0 && size < least;
    }
}

// --- Floating point of 16 bits ---

template <typename H>
inline constexpr int fraction_bits = std::is_same_v<H, Half> ? 10 : 7;
template <typename H>
inline constexpr int exponent_bits = std::is_same_v<H, Half> ? 5 : 8;

/// The nearest number of 16 bits, in the direction of `rounding`.
template <typename H>
inline H narrowed(double x, Rounding rounding = Rounding::nearest) {
    constexpr int fraction = fraction_bits<H>, exponents = exponent_bits<H>;
    constexpr int least = 2 - (1 << (exponents - 1));  // exponent of the least normal number
    constexpr std::uint32_t infinity = ((1u << exponents) - 1) << fraction;
    const auto bits = bits_as<std::uint64_t>(x);
    const std::uint32_t sign = static_cast<std::uint32_t>(bits >> 63) << 15;
    const int biased = static_cast<int>(bits >> 52) & 0x7ff;
    const std::uint64_t tail = bits & 0xfffffffffffffULL;
    if (biased == 0x7ff) return H{static_cast<std::uint16_t>(tail != 0 ? 0x7fff : sign | infinity)};
    const int exponent = biased - 1023;
    const std::uint64_t whole = biased == 0 ? tail : tail | 0x10000000000000ULL;
    int dropped = 52 - fraction;
    if (exponent < least) dropped += least - exponent;
    if (dropped > 62) dropped = 62;
    const std::uint64_t kept = whole >> dropped, rest = whole & ((std::uint64_t{1} << dropped) - 1),
                        middle = std::uint64_t{1} << (dropped - 1);
    std::uint32_t result = static_cast<std::uint32_t>(kept);
    if (exponent >= least) result += static_cast<std::uint32_t>(exponent - least) << fraction;
    const bool is_negative = sign != 0;
    bool is_up = false;
    switch (rounding) {
        case Rounding::nearest: is_up = rest > middle || (rest == middle && (kept & 1) != 0); break;
        case Rounding::zero: break;
        case Rounding::down: is_up = is_negative && rest != 0; break;
        case Rounding::up: is_up = !is_negative && rest != 0; break;
    }
    if (is_up) ++result;
    if (result >= infinity) {
        const bool is_infinite =
            rounding == Rounding::nearest || (rounding == Rounding::down && is_negative) || (rounding == Rounding::up && !is_negative);
        result = is_infinite ? infinity : infinity - 1;
    }
    return H{static_cast<std::uint16_t>(sign | result)};
}
inline float widened(Brain x) { return bits_as<float>(static_cast<std::uint32_t>(x.bits) << 16); }
inline float widened(Half x) {
    // The exponent in place of a float's, 112 too low, which a product mends; that is exact, also of subnormal numbers.
    const auto magnitude_bits = static_cast<std::uint32_t>(x.bits & 0x7fffu) << 13;
    float result = bits_as<float>(magnitude_bits) * 0x1p112f;
    if ((x.bits & 0x7c00u) == 0x7c00u) result = bits_as<float>(magnitude_bits | 0x7f800000u);
    return bits_as<float>(bits_as<std::uint32_t>(result) | static_cast<std::uint32_t>(x.bits & 0x8000u) << 16);
}
template <typename H, typename = std::enable_if_t<is_half<H>>>
inline bool operator<(H a, H b) {
    return widened(a) < widened(b);
}
template <typename H, typename = std::enable_if_t<is_half<H>>>
inline bool operator<=(H a, H b) {
    return widened(a) <= widened(b);
}
template <typename H, typename = std::enable_if_t<is_half<H>>>
inline bool operator>(H a, H b) {
    return widened(a) > widened(b);
}
template <typename H, typename = std::enable_if_t<is_half<H>>>
inline bool operator>=(H a, H b) {
    return widened(a) >= widened(b);
}
template <typename H, typename = std::enable_if_t<is_half<H>>>
inline bool operator==(H a, H b) {
    return widened(a) == widened(b);
}
template <typename H, typename = std::enable_if_t<is_half<H>>>
inline bool operator!=(H a, H b) {
    return widened(a) != widened(b);
}

/// The sum of two doubles, so rounded that rounding it once more to fewer bits is as rounding the sum itself: what is lost sets the last
/// bit.
inline double sum_to_odd(double a, double b) {
    const double sum = a + b;
    const double part = sum - a;
    const double lost = (a - (sum - part)) + (b - part);
    auto bits = bits_as<std::uint64_t>(sum);
    if (lost == 0 || lost != lost || (bits & 1) != 0) return sum;
    return bits_as<double>((lost > 0) == (sum > 0) ? bits + 1 : bits - 1);
}

/// .ftz is of f16 alone.
template <typename H, typename M>
inline H half_flushed(M m, H x) {
    if constexpr (std::is_same_v<H, Half>) {
        if (m.is(mode_ftz) && (x.bits & 0x7c00u) == 0) x.bits &= 0x8000u;
    }
    return x;
}
template <typename H, typename M>
inline double half_in(M m, H x) {
    return widened(half_flushed(m, x));
}
template <typename H, typename M>
inline H half_out(M m, double x) {
    H result = half_flushed(m, narrowed<H>(x));
    if (m.is(mode_sat)) {
        const float value = widened(result);
        if (!(value > 0)) result.bits = 0;
        if (value > 1) result.bits = std::is_same_v<H, Half> ? 0x3c00 : 0x3f80;
    }
    // NaN stays, and is the one that PTX has.
    if (m.is(mode_relu) && widened(result) < 0) result.bits = 0;
    return result;
}
/// Does something to one number, or to each of a pair.
template <typename T, typename F, typename... More>
inline T each_half(F f, T a, More... more) {
    if constexpr (is_half<T>) {
        return f(a, more...);
    } else {
        using H = typename T::Element;
        const auto low = [](T x) { return H{static_cast<std::uint16_t>(x.bits)}; };
        const auto high = [](T x) { return H{static_cast<std::uint16_t>(x.bits >> 16)}; };
        const H l = f(low(a), low(more)...), h = f(high(a), high(more)...);
        return T{static_cast<std::uint32_t>(h.bits) << 16 | l.bits};
    }
}
template <typename M, typename T, typename F, typename = std::enable_if_t<!std::is_same_v<F, T>>>
inline T halves(M m, T a, F f) {
    return each_half([&](auto x) { return half_out<decltype(x)>(m, f(half_in(m, x))); }, a);
}
template <typename M, typename T, typename F, typename = std::enable_if_t<!std::is_same_v<F, T>>>
inline T halves(M m, T a, T b, F f) {
    return each_half([&](auto x, auto y) { return half_out<decltype(x)>(m, f(half_in(m, x), half_in(m, y))); }, a, b);
}
/// a * b + c, rounded once.
template <typename M, typename T>
inline T halves(M m, T a, T b, T c) {
    return each_half(
        [&](auto x, auto y, auto z) { return half_out<decltype(x)>(m, sum_to_odd(half_in(m, x) * half_in(m, y), half_in(m, z))); }, a, b,
        c);
}
template <typename M, typename T, typename F>
inline T half_signs(M m, T a, F f) {
    return each_half(
        [&](auto x) {
            if (m.is(mode_ftz)) x = narrowed<decltype(x)>(half_in(m, x));
            return decltype(x){static_cast<std::uint16_t>(f(x.bits))};
        },
        a);
}
template <typename M, typename T>
inline T half_choice(M m, T a, T b, bool least) {
    return each_half(
        [&](auto x, auto y) {
            return narrowed<decltype(x)>(chosen_of(static_cast<float>(half_in(m, x)), static_cast<float>(half_in(m, y)), m, least));
        },
        a, b);
}

// --- Comparisons and atomic sums ---

template <typename T>
inline bool both_ordered(T a, T b) {
    if constexpr (is_float<T>) {
        return a == a && b == b;
    } else if constexpr (is_half<T>) {
        return widened(a) == widened(a) && widened(b) == widened(b);
    } else {
        return true;
    }
}
template <typename T>
inline T atomic_sum(T a, T b) {
    if constexpr (std::is_integral_v<T>) {
        return sum(a, b);
    } else if constexpr (is_float<T>) {
        return a + b;
    } else {
        return halves(Plain(), a, b, [](double x, double y) { return sum_to_odd(x, y); });
    }
}

// --- Conversions ---

/// The double or float next to x, up or down.
template <typename F>
inline F next_to(F x, bool is_up) {
    using U = std::conditional_t<sizeof(F) == 4, std::uint32_t, std::uint64_t>;
    if (x == 0) return bits_as<F>(static_cast<U>(is_up ? U{1} : (U{1} << (8 * sizeof(F) - 1)) + 1));
    const U bits = bits_as<U>(x);
    return bits_as<F>(static_cast<U>((x > 0) == is_up ? bits + 1 : bits - 1));
}
/// `near`: the nearest to what is exactly `exact`, as a number that holds both; moved if rounding wants another.
template <typename F, typename Exact>
inline F directed(F near, Exact exact, Rounding rounding) {
    if (rounding == Rounding::nearest || near != near) return near;
    const Exact back = static_cast<Exact>(near);
    if (back == exact) return near;
    const bool is_down = rounding == Rounding::down || (rounding == Rounding::zero && exact > 0);
    if (is_down) return back > exact ? next_to(near, false) : near;
    return back < exact ? next_to(near, true) : near;
}
template <typename F>
inline F whole(F x, Rounding rounding) {
    switch (rounding) {
        case Rounding::nearest: {
            // Where there are fractions, adding what has none rounds them off.
            const F big = sizeof(F) == 4 ? static_cast<F>(8388608.0f) : static_cast<F>(4503599627370496.0);
            const F size = magnitude(x);
            if (!(size < big)) return x;
            return with_sign_of((size + big) - big, x);
        }
        case Rounding::zero:
            return sizeof(F) == 4 ? static_cast<F>(__builtin_truncf(static_cast<float>(x))) : static_cast<F>(__builtin_trunc(x));
        case Rounding::down:
            return sizeof(F) == 4 ? static_cast<F>(__builtin_floorf(static_cast<float>(x))) : static_cast<F>(__builtin_floor(x));
        default: return sizeof(F) == 4 ? static_cast<F>(__builtin_ceilf(static_cast<float>(x))) : static_cast<F>(__builtin_ceil(x));
    }
}
template <typename T>
inline constexpr T greatest = static_cast<T>(is_signed<T> ? (std::make_unsigned_t<T>{1} << (8 * sizeof(T) - 1)) - 1
                                                          : ~std::make_unsigned_t<T>{0});
template <typename T>
inline constexpr T smallest = static_cast<T>(is_signed<T> ? std::make_unsigned_t<T>{1} << (8 * sizeof(T) - 1) : 0);

/// x is a whole number; what is out of range becomes what is nearest in it.
template <typename D, typename F>
inline D to_integer(F x) {
    constexpr F above = static_cast<F>(greatest<D> / 2 + 1) * 2;  // one more than the greatest
    if (x != x) return sizeof(F) == 8 || sizeof(D) == 8 ? static_cast<D>(std::make_unsigned_t<D>{1} << (8 * sizeof(D) - 1)) : D{0};
    if (x >= above) return greatest<D>;
    if (x <= static_cast<F>(smallest<D>)) return smallest<D>;
    return static_cast<D>(x);
}

/// What cvt gives. `m`: rounding, .ftz, .sat, .relu; Plain: to the nearest for floats, towards zero for integers.
template <typename D, typename S, typename M>
inline D converted(S x, M m) {
    if constexpr (is_half<S>) {
        if constexpr (std::is_same_v<D, S>) {
            if (!m.is(mode_to_integer) && !m.is(mode_sat)) return x;
        }
        // f16 and bf16 are floats; .ftz is not said of them. What is a NaN of f32 counts as one of 16 bits.
        if constexpr (std::is_integral_v<D>) {
            return to_integer<D>(whole(widened(x), M::is_plain ? Rounding::zero : m.rounding()));
        } else {
            return converted<D>(widened(x), m);
        }
    } else if constexpr (std::is_integral_v<S> && std::is_integral_v<D>) {
        if (m.is(mode_sat)) {
            const Integer128 wide = x;
            if (wide > static_cast<Integer128>(greatest<D>)) return greatest<D>;
            if (wide < static_cast<Integer128>(smallest<D>)) return smallest<D>;
        }
        return static_cast<D>(x);
    } else if constexpr (std::is_integral_v<D>) {
        return to_integer<D>(whole(m.in(x), M::is_plain ? Rounding::zero : m.rounding()));
    } else if constexpr (std::is_integral_v<S>) {
        if constexpr (is_half<D>) {
            // Twice: a double holds all that is not past the end of a half, and odd last bits keep apart what is between two brains.
            double wide = static_cast<double>(x);
            if constexpr (sizeof(S) == 8) {
                const auto back = static_cast<long double>(wide), exact = static_cast<long double>(x);
                if (back != exact && (bits_as<std::uint64_t>(wide) & 1) == 0) wide = next_to(wide, back < exact);
            }
            return half_out<D>(m, widened(narrowed<D>(wide, m.rounding())));
        } else {
            return m.out(directed(static_cast<D>(x), static_cast<long double>(x), m.rounding()));
        }
    } else if constexpr (is_half<D>) {
        if (m.is(mode_relu) && x < S{0}) x = S{0};  // before what is small becomes -0
        return half_out<D>(m, widened(narrowed<D>(static_cast<double>(m.is(mode_to_integer) ? whole(m.in(x), m.rounding()) : m.in(x)),
                                                  m.is(mode_to_integer) ? Rounding::nearest : m.rounding())));
    } else {
        S from = m.in(x);
        if (m.is(mode_relu) && from < S{0}) from = S{0};
        if (m.is(mode_to_integer)) from = whole(from, m.rounding());
        if constexpr (sizeof(D) >= sizeof(S)) {
            return m.out(static_cast<D>(from));
        } else {
            return m.out(directed(static_cast<D>(from), from, m.is(mode_to_integer) ? Rounding::nearest : m.rounding()));
        }
    }
}

}  // namespace MOG_PTX_TIER
}  // namespace mog::ptx
