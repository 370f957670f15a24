// vectors.h: the words that compiled kernels are written in: values of a unit of lanes, and what is done to them. Each does what the row
// of ptx.def says that it stands for; tests compare the two. MOG_LANES and MOG_VECTOR_BYTES are defined before it; integers wrap, nothing
// is contracted. It includes nothing, for that would take longer to compile than a kernel does.
namespace mog::ptx {
namespace {

using u8 = unsigned char;
using s8 = signed char;
using u16 = unsigned short;
using s16 = short;
using u32 = unsigned;
using s32 = int;
using u64 = unsigned long long;
using s64 = long long;
using f32 = float;
using f64 = double;

#define INLINE [[gnu::always_inline]] inline
#define COLD [[gnu::noinline, gnu::cold]] static

constexpr unsigned lanes = MOG_LANES;
constexpr u32 full = lanes == 32 ? ~0u : (1u << (lanes & 31)) - 1;

template <int... I>
struct Numbers {};
template <int N>
using Count = Numbers<__integer_pack(N)...>;

template <typename T, int bytes>
struct Native {
    typedef T type __attribute__((vector_size(bytes), aligned(bytes)));
};
template <typename T>
constexpr int part_bytes = int(lanes * sizeof(T)) < MOG_VECTOR_BYTES ? int(lanes * sizeof(T)) : MOG_VECTOR_BYTES;
template <typename T>
constexpr int part_lanes = part_bytes<T> / int(sizeof(T));
template <typename T>
constexpr int parts = int(lanes) / part_lanes<T>;
template <typename T>
using Part = typename Native<T, part_bytes<T>>::type;

/// A value of each lane.
template <typename T>
struct V {
    Part<T> p[parts<T>];
};

template <bool condition, typename A, typename B>
struct Choose {
    using type = A;
};
template <typename A, typename B>
struct Choose<false, A, B> {
    using type = B;
};
template <typename T>
using Natural =
    typename Choose<sizeof(T) == 1, u8, typename Choose<sizeof(T) == 2, u16, typename Choose<sizeof(T) == 4, u32, u64>::type>::type>::type;
template <typename T>
using Integer =
    typename Choose<sizeof(T) == 1, s8, typename Choose<sizeof(T) == 2, s16, typename Choose<sizeof(T) == 4, s32, s64>::type>::type>::type;
template <typename A, typename B>
constexpr bool same = false;
template <typename A>
constexpr bool same<A, A> = true;
template <typename T>
constexpr bool is_real = same<T, f32> || same<T, f64>;
template <typename T>
constexpr bool has_sign = T(-1) < T(0);
/// At least as wide as int, and without a sign: nothing is promoted to what overflows.
template <typename T>
using Modulo = typename Choose<(sizeof(T) < 4), u32, Natural<T>>::type;

template <typename R, typename F, int... I>
INLINE V<R> make_(F f, Numbers<I...>) {
    return V<R>{{f(I)...}};
}
/// Each part by itself.
template <typename R, typename F>
INLINE V<R> make(F f) {
    return make_<R>(f, Count<parts<R>>());
}
/// From memory and into it. Part by part: what is copied as a whole goes through memory once more, in pieces that are too small to be read
/// again at once.
template <typename T>
INLINE V<T> from_memory(const void *from) {
    return make<T>([&](int i) {
        Part<T> part;
        __builtin_memcpy(&part, (const u8 *)from + i * part_bytes<T>, sizeof part);
        return part;
    });
}
template <typename T, int... I>
INLINE void to_memory_(void *to, const V<T> &v, Numbers<I...>) {
    (__builtin_memcpy((u8 *)to + I * part_bytes<T>, &v.p[I], sizeof(Part<T>)), ...);
}
template <typename T>
INLINE void to_memory(void *to, const V<T> &v) {
    to_memory_(to, v, Count<parts<T>>());
}
/// Each lane by itself.
template <typename R, typename F>
INLINE V<R> by_lane(F f) {
    alignas(64) R values[lanes];
    for (unsigned lane = 0; lane < lanes; ++lane) values[lane] = f(lane);
    return from_memory<R>(values);
}
template <typename T>
struct Lanes {
    alignas(64) T value[lanes];
    INLINE explicit Lanes(const V<T> &from) { to_memory(value, from); }
    INLINE T operator[](unsigned lane) const { return value[lane]; }
};

template <typename T>
INLINE V<T> splat(T x) {
    // By its bits: -0 plus 0 would not be -0.
    using N = Natural<T>;
    return make<T>([&](int) { return (Part<T>)(Part<N>{} + __builtin_bit_cast(N, x)); });
}
/// base + stride * lane
template <typename T>
INLINE V<T> line(T base, s64 stride) {
    return make<T>([&](int i) {
        Part<T> result{};
        for (int lane = 0; lane < part_lanes<T>; ++lane) result[lane] = T(stride * (i * part_lanes<T> + lane));
        return result + base;
    });
}

INLINE u32 first_of(u32 mask) { return mask == full ? 0 : u32(__builtin_ctz(mask)); }
INLINE u32 last_of(u32 mask) { return mask == full ? lanes - 1 : 31 - u32(__builtin_clz(mask)); }
template <typename T>
INLINE T at(const V<T> &v, u32 lane) {
    return Lanes<T>(v)[lane];
}
/// What lane 0 would have, of a value whose lanes in `mask` are `stride` apart.
template <typename T>
INLINE T base_of(const V<T> &v, s64 stride, u32 mask) {
    if (mask == full) return v.p[0][0];
    const u32 first = first_of(mask);
    const T x = at(v, first);
    if (stride == 0) return x;
    return T(x - T(stride * s64(first)));
}

// --- The same bits, and other widths ---

template <typename R, typename T>
INLINE R as(T x) {
    static_assert(sizeof(R) == sizeof(T));
    return __builtin_bit_cast(R, x);
}
template <typename R, typename T>
INLINE V<R> as(const V<T> &v) {
    static_assert(sizeof(R) == sizeof(T));
    return make<R>([&](int i) { return (Part<R>)v.p[i]; });
}

template <typename R, int n, typename T, int... I>
INLINE auto piece_(T x, int, Numbers<I...>) {
    return __builtin_shufflevector(x, x, I...);
}
template <int first, typename P, int... I>
INLINE auto piece(P x, Numbers<I...>) {
    return __builtin_shufflevector(x, x, first + I...);
}
template <typename P, int... I>
INLINE auto joined(P x, P y, Numbers<I...>) {
    return __builtin_shufflevector(x, y, I...);
}
template <typename R, typename T, int i>
INLINE Part<R> converted_part(const V<T> &v) {
    constexpr int wants = part_lanes<R>, has = part_lanes<T>;
    if constexpr (wants == has) {
        return __builtin_convertvector(v.p[i], Part<R>);
    } else if constexpr (wants < has) {
        constexpr int ratio = has / wants;
        auto some = piece<i % ratio * wants>(v.p[i / ratio], Count<wants>());
#if defined(__AVX512DQ__)
        if constexpr (!is_real<R> && !is_real<T> && sizeof(T) == 4 && part_bytes<R> == 64) {
            // At once, where compilers make two halves; numbers that they know are better left to them.
            typedef int W __attribute__((vector_size(32)));
            typedef long long D __attribute__((vector_size(64)));
            if (!__builtin_constant_p(some[0])) {
                if constexpr (has_sign<T>) return (Part<R>)__builtin_ia32_pmovsxdq512_mask((W)some, D{}, u8(~0u));
                else return (Part<R>)__builtin_ia32_pmovzxdq512_mask((W)some, D{}, u8(~0u));
            }
        }
#endif
        if constexpr (sizeof(T) <= 2 && sizeof(some) >= 16) {
            // Pieces, and what becomes of them, stay apart: else compilers make one conversion of them, element by element.
            asm("" : "+x"(some));
            Part<R> result = __builtin_convertvector(some, Part<R>);
            asm("" : "+x"(result));
            return result;
        }
        return __builtin_convertvector(some, Part<R>);
    } else if constexpr (wants == 2 * has) {
        using Some = typename Native<R, has *int(sizeof(R))>::type;
        return joined(__builtin_convertvector(v.p[2 * i], Some), __builtin_convertvector(v.p[2 * i + 1], Some), Count<wants>());
    } else {
        Part<R> result{};
        for (int lane = 0; lane < wants; ++lane) {
            const int from = i * wants + lane;
            result[lane] = R(v.p[from / has][from % has]);
        }
        return result;
    }
}
template <typename R, typename T, int... I>
INLINE V<R> converted_(const V<T> &v, Numbers<I...>) {
    return V<R>{{converted_part<R, T, I>(v)...}};
}
/// As C++ converts numbers that fit.
template <typename R, typename T>
INLINE V<R> to(const V<T> &v) {
    if constexpr (same<R, T>) {
        return v;
    } else if constexpr (sizeof(R) == sizeof(T) && !is_real<R> && !is_real<T>) {
        return as<R>(v);
    } else {
        return converted_<R>(v, Count<parts<R>>());
    }
}
template <typename R, typename T>
INLINE R to(T x) {
    return static_cast<R>(x);
}

// --- Masks: a bit for each lane ---

template <typename T>
INLINE u32 bits_of_part(Part<T> all_or_nothing);

#if defined(__AVX512DQ__)
template <typename T>
constexpr bool has_masks = part_bytes<T> == 64 && sizeof(T) >= 4;
#else
template <typename T>
constexpr bool has_masks = false;
#endif

/// `yes` where the bit is set.
template <typename T>
INLINE V<T> choose(u32 mask, const V<T> &yes, const V<T> &no) {
    return make<T>([&](int i) -> Part<T> {
        const u32 bits = mask >> (i * part_lanes<T>);
#if defined(__AVX512DQ__)
        if constexpr (has_masks<T> && sizeof(T) == 4) {
            typedef int W __attribute__((vector_size(64)));
            return (Part<T>)__builtin_ia32_blendmd_512_mask((W)no.p[i], (W)yes.p[i], u16(bits));
        } else if constexpr (has_masks<T> && sizeof(T) == 8) {
            typedef long long W __attribute__((vector_size(64)));
            return (Part<T>)__builtin_ia32_blendmq_512_mask((W)no.p[i], (W)yes.p[i], u8(bits));
        }
#endif
        using N = Natural<T>;
        if constexpr (sizeof(T) == 1 && part_lanes < T >> 8) {
            Part<T> result;
            for (int lane = 0; lane < part_lanes<T>; ++lane) result[lane] = (bits >> lane & 1) != 0 ? yes.p[i][lane] : no.p[i][lane];
            return result;
        } else if constexpr (part_lanes<T> > int(8 * sizeof(T))) {
            // A bit for each lane, of which an element holds but some.
            Part<N> wanted, one;
            for (int lane = 0; lane < part_lanes<T>; ++lane) {
                wanted[lane] = N(bits >> (lane / int(8 * sizeof(T)) * int(8 * sizeof(T))));
                one[lane] = N(N{1} << (lane % int(8 * sizeof(T))));
            }
            return (wanted & one) != 0 ? yes.p[i] : no.p[i];
        } else {
            Part<N> one;
            for (int lane = 0; lane < part_lanes<T>; ++lane) one[lane] = N(N{1} << lane);
            return ((Part<N>{} + N(bits)) & one) != 0 ? yes.p[i] : no.p[i];
        }
    });
}
template <typename T>
INLINE T choose(bool condition, T yes, T no) {
    return condition ? yes : no;
}

template <typename T>
INLINE u32 bits_of_part(Part<T> v) {
#if defined(__AVX512DQ__)
    if constexpr (has_masks<T> && sizeof(T) == 4) {
        typedef int W __attribute__((vector_size(64)));
        return u16(__builtin_ia32_cvtd2mask512((W)v));
    } else if constexpr (has_masks<T> && sizeof(T) == 8) {
        typedef long long W __attribute__((vector_size(64)));
        return u8(__builtin_ia32_cvtq2mask512((W)v));
    }
#elif defined(__AVX2__)
    if constexpr (part_bytes<T> == 32 && sizeof(T) == 4) {
        typedef float W __attribute__((vector_size(32)));
        return u32(__builtin_ia32_movmskps256((W)v));
    } else if constexpr (part_bytes<T> == 32 && sizeof(T) == 8) {
        typedef double W __attribute__((vector_size(32)));
        return u32(__builtin_ia32_movmskpd256((W)v));
    }
#endif
    u32 bits = 0;
    for (int lane = 0; lane < part_lanes<T>; ++lane) bits |= u32(v[lane] != 0) << lane;
    return bits;
}
template <typename F, int... I>
INLINE u32 or_of(F f, Numbers<I...>) {
    return (f(I) | ...);
}
/// Bits where a comparison of parts holds.
template <typename T, typename F>
INLINE u32 bits_where(F f) {
    return or_of([&](int i) { return bits_of_part<Integer<T>>((Part<Integer<T>>)f(i)) << (i * part_lanes<T>); }, Count<parts<T>>());
}

enum Comparison { eq, lt, le, ne = 4, ge, gt };
template <Comparison how, typename T>
INLINE u32 compared(const V<T> &a, const V<T> &b) {
#if defined(__AVX512DQ__)
    if constexpr (has_masks<T> && !is_real<T>) {
        return or_of(
            [&](int i) -> u32 {
                if constexpr (sizeof(T) == 4) {
                    typedef int W __attribute__((vector_size(64)));
                    if constexpr (has_sign<T>) return u32(u16(__builtin_ia32_cmpd512_mask((W)a.p[i], (W)b.p[i], how, 0xffff))) << (16 * i);
                    else return u32(u16(__builtin_ia32_ucmpd512_mask((W)a.p[i], (W)b.p[i], how, 0xffff))) << (16 * i);
                } else {
                    typedef long long W __attribute__((vector_size(64)));
                    if constexpr (has_sign<T>) return u32(u8(__builtin_ia32_cmpq512_mask((W)a.p[i], (W)b.p[i], how, 0xff))) << (8 * i);
                    else return u32(u8(__builtin_ia32_ucmpq512_mask((W)a.p[i], (W)b.p[i], how, 0xff))) << (8 * i);
                }
            },
            Count<parts<T>>());
    }
#endif
    return bits_where<T>([&](int i) {
        if constexpr (how == eq) return a.p[i] == b.p[i];
        else if constexpr (how == ne) return a.p[i] != b.p[i];
        else if constexpr (how == lt) return a.p[i] < b.p[i];
        else if constexpr (how == le) return a.p[i] <= b.p[i];
        else if constexpr (how == gt) return a.p[i] > b.p[i];
        else return a.p[i] >= b.p[i];
    });
}
#define MOG_COMPARE(name, how, op)                  \
    template <typename T>                           \
    INLINE u32 name(const V<T> &a, const V<T> &b) { \
        return compared<how>(a, b);                 \
    }                                               \
    template <typename T>                           \
    INLINE bool name(T a, T b) {                    \
        return a op b;                              \
    }
MOG_COMPARE(is_eq, eq, ==)
MOG_COMPARE(is_lt, lt, <)
MOG_COMPARE(is_le, le, <=)
MOG_COMPARE(is_gt, gt, >)
MOG_COMPARE(is_ge, ge, >=)
template <typename T>
INLINE bool is_ordered(T a, T b) {
    return a == a && b == b;
}
template <typename T>
INLINE u32 is_ordered(const V<T> &a, const V<T> &b) {
    return is_eq(a, a) & is_eq(b, b);
}
INLINE bool negation(bool x) { return !x; }
INLINE u32 negation(u32 x) { return ~x & full; }
/// eq and ne ask that both are numbers; the forms with u hold if one is none.
template <typename T>
INLINE auto is_ne(T a, T b) {
    return negation(is_eq(a, b));
}
template <typename T>
INLINE u32 is_ne(const V<T> &a, const V<T> &b) {
    return negation(is_eq(a, b));
}
template <typename A>
INLINE auto is_ne_ordered(const A &a, const A &b) {
    return negation(is_eq(a, b)) & is_ordered(a, b);
}
template <typename A>
INLINE auto is_equ(const A &a, const A &b) {
    return is_eq(a, b) | negation(is_ordered(a, b));
}
template <typename A>
INLINE auto is_ltu(const A &a, const A &b) {
    return negation(is_ge(a, b));
}
template <typename A>
INLINE auto is_leu(const A &a, const A &b) {
    return negation(is_gt(a, b));
}
template <typename A>
INLINE auto is_gtu(const A &a, const A &b) {
    return negation(is_le(a, b));
}
template <typename A>
INLINE auto is_geu(const A &a, const A &b) {
    return negation(is_lt(a, b));
}
template <typename A>
INLINE auto is_unordered(const A &a, const A &b) {
    return negation(is_ordered(a, b));
}

// --- Arithmetic ---

#define MOG_TWO(name, scalar, vector)                \
    template <typename T>                            \
    INLINE T name(T a, T b) {                        \
        return T(scalar);                            \
    }                                                \
    template <typename T>                            \
    INLINE V<T> name(const V<T> &x, const V<T> &y) { \
        return make<T>([&](int i) -> Part<T> {       \
            const Part<T> a = x.p[i], b = y.p[i];    \
            return vector;                           \
        });                                          \
    }
MOG_TWO(op_add, Modulo<T>(a) + Modulo<T>(b), a + b)
MOG_TWO(op_sub, Modulo<T>(a) - Modulo<T>(b), a - b)
MOG_TWO(op_mul_lo, Modulo<T>(a) * Modulo<T>(b), a *b)
MOG_TWO(op_and_, a &b, a &b)
MOG_TWO(op_or_, a | b, a | b)
MOG_TWO(op_xor_, a ^ b, a ^ b)
MOG_TWO(op_min, a < b ? a : b, a < b ? a : b)
MOG_TWO(op_max, a < b ? b : a, a < b ? b : a)
MOG_TWO(op_add_f, a + b, a + b)
MOG_TWO(op_sub_f, a - b, a - b)
MOG_TWO(op_mul_f, a *b, a *b)
MOG_TWO(op_div_f, a / b, a / b)
#define MOG_ONE(name, scalar, vector)          \
    template <typename T>                      \
    INLINE T name(T a) {                       \
        return T(scalar);                      \
    }                                          \
    template <typename T>                      \
    INLINE V<T> name(const V<T> &x) {          \
        return make<T>([&](int i) -> Part<T> { \
            const Part<T> a = x.p[i];          \
            return vector;                     \
        });                                    \
    }
MOG_ONE(op_not_, ~a, ~a)
MOG_ONE(op_neg, Modulo<T>(0) - Modulo<T>(a), -a)
MOG_ONE(op_abs, a < 0 ? T(Modulo<T>(0) - Modulo<T>(a)) : a, a < 0 ? -a : a)
/// Two integers of 16 bits in a register, each by itself.
template <typename N, typename F>
INLINE u32 pair_by(F f, u32 a, u32 b) {
    return u32(u16(f(N(a), N(b)))) | u32(u16(f(N(a >> 16), N(b >> 16)))) << 16;
}
template <typename N, typename F>
INLINE V<u32> pair_by(F f, const V<u32> &a, const V<u32> &b) {
    using P = typename Native<N, part_bytes<u32>>::type;
    return make<u32>([&](int i) { return (Part<u32>)f((P)a.p[i], (P)b.p[i]); });
}
template <typename N, typename A>
INLINE A op_add_pair(const A &a, const A &b) {
    return pair_by<N>([](auto x, auto y) { return x + y; }, a, b);
}
template <typename N, typename A>
INLINE A op_min_pair(const A &a, const A &b) {
    return pair_by<N>([](auto x, auto y) { return x < y ? x : y; }, a, b);
}
template <typename N, typename A>
INLINE A op_max_pair(const A &a, const A &b) {
    return pair_by<N>([](auto x, auto y) { return x < y ? y : x; }, a, b);
}
template <typename T>
INLINE T op_neg_f(T a) {
    using N = Natural<T>;
    return as<T>(N(as<N>(a) ^ N{1} << (8 * sizeof(T) - 1)));
}
template <typename T>
INLINE V<T> op_neg_f(const V<T> &a) {
    using N = Natural<T>;
    return as<T>(op_xor_(as<N>(a), splat<N>(N{1} << (8 * sizeof(T) - 1))));
}
template <typename T>
INLINE T op_abs_f(T a) {
    using N = Natural<T>;
    return as<T>(N(as<N>(a) & ~(N{1} << (8 * sizeof(T) - 1))));
}
template <typename T>
INLINE V<T> op_abs_f(const V<T> &a) {
    using N = Natural<T>;
    return as<T>(op_and_(as<N>(a), splat<N>(~(N{1} << (8 * sizeof(T) - 1)))));
}
template <typename T>
using Wide =
    typename Choose<sizeof(T) == 2, typename Choose<has_sign<T>, s32, u32>::type, typename Choose<has_sign<T>, s64, u64>::type>::type;
template <typename T>
INLINE auto op_mul_wide(T a, T b) {
    return Wide<T>(Wide<T>(a) * Wide<T>(b));
}
template <typename T>
INLINE auto op_mul_wide(const V<T> &a, const V<T> &b) {
    return op_mul_lo(to<Wide<T>>(a), to<Wide<T>>(b));
}
template <typename T, typename W>
INLINE auto op_mad_wide(const T &a, const T &b, const W &c) {
    return op_add(op_mul_wide(a, b), c);
}
template <typename A>
INLINE A op_mad_lo(const A &a, const A &b, const A &c) {
    return op_add(op_mul_lo(a, b), c);
}
template <typename T>
INLINE T op_mul_hi(T a, T b) {
    __extension__ typedef __int128 S;
    __extension__ typedef unsigned __int128 U;
    using W = typename Choose<has_sign<T>, S, U>::type;
    return T(W(a) * W(b) >> (8 * sizeof(T)));
}
template <typename T>
INLINE V<T> op_mul_hi(const V<T> &a, const V<T> &b) {
    if constexpr (sizeof(T) == 4) {
        using W = Wide<T>;
        const V<W> product = op_mul_lo(to<W>(a), to<W>(b));
        return to<T>(make<W>([&](int i) -> Part<W> { return product.p[i] >> 32; }));
    } else {
        const Lanes<T> x(a), y(b);
        return by_lane<T>([&](unsigned lane) { return op_mul_hi(x[lane], y[lane]); });
    }
}
template <typename A>
INLINE A op_mad_hi(const A &a, const A &b, const A &c) {
    return op_add(op_mul_hi(a, b), c);
}
/// Counts above the width shift everything out.
template <typename T>
INLINE T op_shl(T a, u32 b) {
    return b >= 8 * sizeof(T) ? T(0) : T(Modulo<T>(a) << b);
}
template <typename T>
INLINE T op_shr(T a, u32 b) {
    constexpr u32 most = 8 * sizeof(T) - 1;
    if constexpr (has_sign<T>) return T(a >> (b > most ? most : b));
    return b > most ? T(0) : T(a >> b);
}
template <typename T>
INLINE V<T> op_shl(const V<T> &a, const V<u32> &b) {
    using N = Natural<T>;
    const V<N> by = to<N>(op_min(b, splat<u32>(8 * sizeof(T))));  // before it becomes narrower
    return make<T>([&](int i) -> Part<T> {
        const Part<N> in = by.p[i] & N(8 * sizeof(T) - 1);
        return (Part<T>)(by.p[i] > N(8 * sizeof(T) - 1) ? Part<N>{} : (Part<N>)a.p[i] << in);
    });
}
template <typename T>
INLINE V<T> op_shl(const V<T> &a, u32 b) {
    if (b >= 8 * sizeof(T)) return splat<T>(0);
    return make<T>([&](int i) -> Part<T> { return a.p[i] << b; });
}
template <typename T>
INLINE V<T> op_shr(const V<T> &a, const V<u32> &b) {
    using N = Natural<T>;
    constexpr N most = 8 * sizeof(T) - 1;
    const V<N> by = to<N>(op_min(b, splat<u32>(8 * sizeof(T))));  // before it becomes narrower
    return make<T>([&](int i) -> Part<T> {
        if constexpr (has_sign<T>) {
            const Part<N> in = by.p[i] > most ? Part<N>{} + most : by.p[i];
            return a.p[i] >> (Part<T>)in;
        } else {
            return by.p[i] > most ? Part<T>{} : a.p[i] >> (by.p[i] & most);
        }
    });
}
template <typename T>
INLINE V<T> op_shr(const V<T> &a, u32 b) {
    constexpr u32 most = 8 * sizeof(T) - 1;
    if constexpr (has_sign<T>) {
        return make<T>([&](int i) -> Part<T> { return a.p[i] >> (b > most ? most : b); });
    } else {
        if (b > most) return splat<T>(0);
        return make<T>([&](int i) -> Part<T> { return a.p[i] >> b; });
    }
}
template <typename T>
INLINE V<T> op_selp(const V<T> &a, const V<T> &b, u32 c) {
    return choose(c, a, b);
}
template <typename T>
INLINE T op_selp(T a, T b, bool c) {
    return c ? a : b;
}
INLINE u32 op_popc(u32 a) { return u32(__builtin_popcount(a)); }
INLINE u32 op_popc(u64 a) { return u32(__builtin_popcountll(a)); }
INLINE u32 op_clz(u32 a) { return a == 0 ? 32 : u32(__builtin_clz(a)); }
INLINE u32 op_clz(u64 a) { return a == 0 ? 64 : u32(__builtin_clzll(a)); }
template <typename T>
INLINE V<u32> op_popc(const V<T> &a) {
    return to<u32>(make<T>([&](int i) -> Part<T> {
        Part<T> x = a.p[i];
        x -= x >> 1 & T(0x5555555555555555);
        x = (x & T(0x3333333333333333)) + (x >> 2 & T(0x3333333333333333));
        x = (x + (x >> 4)) & T(0x0f0f0f0f0f0f0f0f);
        x += x >> 8;
        x += x >> 16;
        if constexpr (sizeof(T) == 8) x += x >> 32;
        return x & 0x7f;
    }));
}
template <typename T>
INLINE V<u32> op_clz(const V<T> &a) {
#if defined(__AVX512CD__)
    if constexpr (part_bytes<T> == 64) {
        return to<u32>(make<T>([&](int i) -> Part<T> {
            if constexpr (sizeof(T) == 4) {
                typedef int W __attribute__((vector_size(64)));
                return (Part<T>)__builtin_ia32_vplzcntd_512_mask((W)a.p[i], W{}, u16(~0u));
            } else {
                typedef long long W __attribute__((vector_size(64)));
                return (Part<T>)__builtin_ia32_vplzcntq_512_mask((W)a.p[i], W{}, u8(~0u));
            }
        }));
    }
#endif
    // All bits below the first one are set; what is left is counted.
    return op_popc(make<T>([&](int i) -> Part<T> {
        Part<T> x = a.p[i];
        x |= x >> 1;
        x |= x >> 2;
        x |= x >> 4;
        x |= x >> 8;
        x |= x >> 16;
        if constexpr (sizeof(T) == 8) x |= x >> 32;
        return ~x;
    }));
}
// --- Bits and bytes: of one value or of all lanes, by the same words ---

/// A number as an operand beside another.
template <typename T>
INLINE T like(T, T x) {
    return x;
}
template <typename T>
INLINE V<T> like(const V<T> &, T x) {
    return splat<T>(x);
}
template <typename T>
T element_(T);
template <typename T>
T element_(V<T>);
/// What values of a type, or lanes of it, are.
template <typename A>
using Element = decltype(element_(A()));

INLINE u32 op_bfind(u32 a) { return 31 - op_clz(a); }
INLINE u32 op_bfind(u64 a) { return 63 - op_clz(a); }
INLINE u32 op_bfind(s32 a) { return op_bfind(u32(a < 0 ? ~a : a)); }
INLINE u32 op_bfind(s64 a) { return op_bfind(u64(a < 0 ? ~a : a)); }
template <typename T>
INLINE V<u32> op_bfind(const V<T> &a) {
    if constexpr (has_sign<T>) return op_bfind(as<Natural<T>>(op_xor_(a, op_shr(a, u32(8 * sizeof(T) - 1)))));
    else return op_sub(splat<u32>(8 * sizeof(T) - 1), op_clz(a));
}
template <typename A>
INLINE auto op_bfind_shift(const A &a) {
    const auto at = op_bfind(a);
    return choose(is_eq(at, like(at, ~0u)), at, op_sub(like(at, u32(8 * sizeof(Element<A>) - 1)), at));
}
template <typename T>
INLINE V<T> op_brev(const V<T> &a) {
    return make<T>([&](int i) -> Part<T> {
        Part<T> x = a.p[i];
        x = (x >> 1 & T(0x5555555555555555)) | (x & T(0x5555555555555555)) << 1;
        x = (x >> 2 & T(0x3333333333333333)) | (x & T(0x3333333333333333)) << 2;
        x = (x >> 4 & T(0x0f0f0f0f0f0f0f0f)) | (x & T(0x0f0f0f0f0f0f0f0f)) << 4;
        x = (x >> 8 & T(0x00ff00ff00ff00ff)) | (x & T(0x00ff00ff00ff00ff)) << 8;
        if constexpr (sizeof(T) == 8) x = (x >> 16 & T(0x0000ffff0000ffff)) | (x & T(0x0000ffff0000ffff)) << 16;
        return x >> (4 * sizeof(T)) | x << (4 * sizeof(T));
    });
}
INLINE u32 op_brev(u32 a) {
    a = (a >> 1 & 0x55555555u) | (a & 0x55555555u) << 1;
    a = (a >> 2 & 0x33333333u) | (a & 0x33333333u) << 2;
    a = (a >> 4 & 0x0f0f0f0fu) | (a & 0x0f0f0f0fu) << 4;
    return __builtin_bswap32(a);
}
INLINE u64 op_brev(u64 a) { return u64(op_brev(u32(a))) << 32 | op_brev(u32(a >> 32)); }
/// A field of bits, with the sign that it has or the value has at its end.
template <typename T>
INLINE T op_bfe(T a, u32 b, u32 c) {
    constexpr u32 width = 8 * sizeof(T);
    const u32 at = b & 0xff, length = c & 0xff;
    if (length == 0) return T(0);
    if (at >= width) return has_sign<T> && a < 0 ? T(-1) : T(0);
    const u32 kept = length < width - at ? length : width - at;
    return T(T(Natural<T>(a) << (width - at - kept)) >> (width - kept));
}
template <typename T>
INLINE V<T> op_bfe(const V<T> &a, u32 b, u32 c) {
    constexpr u32 width = 8 * sizeof(T);
    const u32 at = b & 0xff, length = c & 0xff;
    if (length == 0 || (!has_sign<T> && at >= width)) return splat<T>(0);
    if (at >= width) return op_shr(a, width - 1);
    const u32 kept = length < width - at ? length : width - at;
    return op_shr(op_shl(a, width - at - kept), width - kept);
}
template <typename T>
INLINE V<T> op_bfe(const V<T> &a, const V<u32> &b, const V<u32> &c) {
    const Lanes<T> x(a);
    const Lanes<u32> y(b), z(c);
    return by_lane<T>([&](unsigned lane) { return op_bfe(x[lane], y[lane], z[lane]); });
}
template <typename A>
INLINE A op_bfi(const A &a, const A &b, u32 c, u32 d) {
    using T = Element<A>;
    constexpr u32 width = 8 * sizeof(T);
    const u32 at = c & 0xff, length = d & 0xff;
    if (at >= width) return b;
    const T mask = T((length >= width ? T(~T{0}) : T((T{1} << length) - 1)) << at);
    return op_or_(op_and_(b, like(b, T(~mask))), op_and_(op_shl(a, at), like(b, mask)));
}
template <typename T>
INLINE V<T> op_bfi(const V<T> &a, const V<T> &b, const V<u32> &c, const V<u32> &d) {
    const Lanes<T> x(a), y(b);
    const Lanes<u32> at(c), length(d);
    return by_lane<T>([&](unsigned lane) { return op_bfi(x[lane], y[lane], at[lane], length[lane]); });
}
template <typename A>
INLINE A op_cnot(const A &a) {
    using T = Element<A>;
    return choose(is_eq(a, like(a, T(0))), like(a, T(1)), like(a, T(0)));
}
/// A function of two bits by its table, and of three.
template <u32 table, typename A>
INLINE A by_two(const A &b, const A &c) {
    if constexpr (table == 0) return like(b, 0u);
    else if constexpr (table == 15) return like(b, ~0u);
    else if constexpr (table == 10) return c;
    else if constexpr (table == 12) return b;
    else if constexpr (table == 8) return op_and_(b, c);
    else if constexpr (table == 14) return op_or_(b, c);
    else if constexpr (table == 6) return op_xor_(b, c);
    else if constexpr (table == 2) return op_and_(op_not_(b), c);
    else if constexpr (table == 4) return op_and_(b, op_not_(c));
    else return op_not_(by_two<15 - table>(b, c));
}
template <u32 table, typename A>
INLINE A op_lop3(const A &a, const A &b, const A &c, u32) {
    constexpr u32 low = table & 15, high = table >> 4 & 15;
    if constexpr (low == high) return by_two<low>(b, c);
    else if constexpr (low == 15 - high) return op_xor_(a, by_two<low>(b, c));
    else if constexpr (low == 0) return op_and_(a, by_two<high>(b, c));
    else if constexpr (high == 0) return op_and_(op_not_(a), by_two<low>(b, c));
    else if constexpr (high == 15) return op_or_(a, by_two<low>(b, c));
    else if constexpr (low == 15) return op_or_(op_not_(a), by_two<high>(b, c));
    else return op_xor_(by_two<low>(b, c), op_and_(a, by_two<low ^ high>(b, c)));
}
/// b:a shifted; `by`: of all lanes, or of each.
template <typename C>
INLINE C funnel_count(const C &c, bool wraps) {
    return wraps ? op_and_(c, like(c, 31u)) : op_min(c, like(c, 32u));
}
template <bool wraps, typename A, typename C>
INLINE A op_shf_l(const A &a, const A &b, const C &c) {
    const C by = funnel_count(c, wraps);
    return op_or_(op_shl(b, by), op_shr(a, op_sub(like(by, 32u), by)));
}
template <bool wraps, typename A, typename C>
INLINE A op_shf_r(const A &a, const A &b, const C &c) {
    const C by = funnel_count(c, wraps);
    return op_or_(op_shr(a, by), op_shl(b, op_sub(like(by, 32u), by)));
}
/// Four of eight bytes, or their signs, by a number of 4 bits each.
template <typename P, typename C>
INLINE P permuted(P a, P b, C c) {
    P result = a ^ a;
    for (int at = 0; at < 4; ++at) {
        const C from = c >> (4 * at) & 7, is_sign = c >> (4 * at) & 8;
        const P byte = ((from & 4) != 0 ? b : a) >> ((from & 3) * 8) & 0xff, sign = (byte >> 7) * 0xff;
        result |= (is_sign != 0 ? sign : byte) << (8 * at);
    }
    return result;
}
INLINE u32 op_prmt(u32 a, u32 b, u32 c) { return permuted<u32, u32>(a, b, c); }
INLINE V<u32> op_prmt(const V<u32> &a, const V<u32> &b, u32 c) {
    return make<u32>([&](int i) -> Part<u32> { return permuted<Part<u32>, u32>(a.p[i], b.p[i], c); });
}
INLINE V<u32> op_prmt(const V<u32> &a, const V<u32> &b, const V<u32> &c) {
    return make<u32>([&](int i) -> Part<u32> { return permuted<Part<u32>, Part<u32>>(a.p[i], b.p[i], c.p[i]); });
}
/// The modes of prmt as such numbers, by the two lower bits of c.
template <typename C>
INLINE C by_control(const C &c, u32 each, u32 plus) {
    return op_add(op_mul_lo(op_and_(c, like(c, 3u)), like(c, each)), like(c, plus));
}
/// One of four numbers of 16 bits.
template <typename C>
INLINE C one_of_four(const C &c, u32 low, u32 high) {
    const C two = choose(is_eq(op_and_(c, like(c, 2u)), like(c, 0u)), like(c, low), like(c, high));
    return op_shr(two, op_shl(op_and_(c, like(c, 1u)), like(c, 4u)));
}
template <typename A, typename C>
INLINE A op_prmt_f4e(const A &a, const A &b, const C &c) {
    return op_prmt(a, b, by_control(c, 0x1111, 0x3210));
}
template <typename A, typename C>
INLINE A op_prmt_b4e(const A &a, const A &b, const C &c) {
    return op_prmt(a, b, op_and_(by_control(c, 0x1111, 0x5678), like(c, 0x7777u)));
}
template <typename A, typename C>
INLINE A op_prmt_rc8(const A &a, const A &b, const C &c) {
    return op_prmt(a, b, by_control(c, 0x1111, 0));
}
template <typename A, typename C>
INLINE A op_prmt_ecl(const A &a, const A &b, const C &c) {
    return op_prmt(a, b, one_of_four(c, 0x32113210, 0x33333222));
}
template <typename A, typename C>
INLINE A op_prmt_ecr(const A &a, const A &b, const C &c) {
    return op_prmt(a, b, one_of_four(c, 0x11100000, 0x32102210));
}
template <typename A, typename C>
INLINE A op_prmt_rc16(const A &a, const A &b, const C &c) {
    return op_prmt(a, b, by_control(op_and_(c, like(c, 1u)), 0x2222, 0x10 << 8 | 0x10));
}
/// Bits from a on, b of them; and those of a from b on, its sign or zeros. How counts from 32 on are taken.
template <bool wraps, typename A>
INLINE A op_bmsk(const A &a, const A &b) {
    const A zero = like(a, 0u), all = like(a, ~0u), low = like(a, 31u), begin = op_and_(a, low);
    A from = op_shl(all, begin), behind = op_shl(all, op_add(begin, op_and_(b, low)));
    if constexpr (!wraps) {
        behind = choose(is_lt(op_or_(a, b), like(a, 32u)), behind, zero);
        from = choose(is_lt(a, like(a, 32u)), from, zero);
    }
    return op_and_(from, op_not_(behind));
}
template <bool wraps, typename A, typename B>
INLINE A op_szext(const A &a, const B &b) {
    const B x = as<u32>(a), bits = op_and_(b, like(b, 31u)), zero = like(b, 0u);
    B mask = op_shl(like(b, ~0u), bits), result = op_and_(x, op_not_(mask));
    if constexpr (!wraps) {
        mask = choose(is_lt(b, like(b, 32u)), mask, zero);
        result = op_and_(x, op_not_(mask));
    }
    if constexpr (Element<A>(-1) < Element<A>(0)) {
        const B sign = op_and_(x, op_shr(op_shl(like(b, 1u), bits), like(b, 1u)));
        result = op_or_(result, choose(is_eq(sign, zero), zero, mask));
    }
    return as<Element<A>>(result);
}
/// The sum of products of bytes with c; whether each has a sign. dp2a: of two words with two bytes.
template <bool has_a_sign, typename A>
INLINE auto field_of(const A &x, u32 bits, u32 at) {
    const A top = op_shl(x, 32 - bits - at * bits);
    if constexpr (has_a_sign) return as<u32>(op_shr(as<s32>(top), 32 - bits));
    else return op_shr(top, 32 - bits);
}
template <bool a_signed, bool b_signed, typename A, typename C>
INLINE C op_dp4a(const A &a, const A &b, const C &c) {
    A sum = as<u32>(c);
    for (u32 at = 0; at < 4; ++at) sum = op_add(sum, op_mul_lo(field_of<a_signed>(a, 8, at), field_of<b_signed>(b, 8, at)));
    return as<s32>(sum);
}
template <bool a_signed, bool b_signed, bool is_high, typename A, typename C>
INLINE C op_dp2a(const A &a, const A &b, const C &c) {
    A sum = as<u32>(c);
    for (u32 at = 0; at < 2; ++at)
        sum = op_add(sum, op_mul_lo(field_of<a_signed>(a, 16, at), field_of<b_signed>(b, 8, at + (is_high ? 2 : 0))));
    return as<s32>(sum);
}
template <typename A>
INLINE A op_sad(const A &a, const A &b, const A &c) {
    return op_add(c, op_sub(op_max(a, b), op_min(a, b)));
}
template <typename A>
INLINE A low24(const A &a) {
    return op_shr(op_shl(a, 8u), 8u);
}
template <typename A>
INLINE A op_mul24_lo(const A &a, const A &b) {
    return op_mul_lo(low24(a), low24(b));
}
template <typename A>
INLINE A op_mul24_hi(const A &a, const A &b) {
    return to<Element<A>>(op_shr(op_mul_wide(low24(a), low24(b)), 16u));
}
template <typename A>
INLINE A op_mad24_lo(const A &a, const A &b, const A &c) {
    return op_add(op_mul24_lo(a, b), c);
}
template <typename A>
INLINE A op_mad24_hi(const A &a, const A &b, const A &c) {
    return op_add(op_mul24_hi(a, b), c);
}
template <typename A>
INLINE A op_min_relu(const A &a, const A &b) {
    return op_max(op_min(a, b), like(a, 0));
}
template <typename A>
INLINE A op_max_relu(const A &a, const A &b) {
    return op_max(op_max(a, b), like(a, 0));
}
/// Of 64 bits, what is nearest in 32.
template <typename W>
INLINE auto saturated(const W &wide) {
    return to<s32>(op_max(op_min(wide, like(wide, s64(0x7fffffff))), like(wide, -s64(0x7fffffff) - 1)));
}
template <typename A>
INLINE A op_add_sat(const A &a, const A &b) {
    return saturated(op_add(to<s64>(a), to<s64>(b)));
}
template <typename A>
INLINE A op_sub_sat(const A &a, const A &b) {
    return saturated(op_sub(to<s64>(a), to<s64>(b)));
}
template <typename A>
INLINE A op_mad_hi_sat(const A &a, const A &b, const A &c) {
    return op_add_sat(op_mul_hi(a, b), c);
}
template <typename A, typename C>
INLINE A op_slct(const A &a, const A &b, const C &c) {
    return choose(is_ge(c, like(c, Element<C>(0))), a, b);
}
template <typename A>
INLINE A op_copysign(const A &a, const A &b) {
    using N = Natural<Element<A>>;
    constexpr N top = N(N{1} << (8 * sizeof(N) - 1));
    const auto sign = as<N>(a), size = as<N>(b);
    return as<Element<A>>(op_or_(op_and_(sign, like(sign, top)), op_and_(size, like(size, N(~top)))));
}
/// 0 to 1, and 0 for what is no number.
template <typename A>
INLINE A clamped(const A &a) {
    using T = Element<A>;
    const A one = like(a, T(1)), zero = like(a, T(0));
    return choose(is_gt(a, zero), choose(is_lt(a, one), a, one), zero);
}

/// By zero: all bits; the remainder is then what was to be divided.
template <typename T>
INLINE T op_div(T a, T b) {
    if (b == 0) return T(~T{0});
    if constexpr (has_sign<T>) {
        if (b == -1) return T(Modulo<T>(0) - Modulo<T>(a));
    }
    return T(a / b);
}
template <typename T>
INLINE T op_rem(T a, T b) {
    if (b == 0) return a;
    if constexpr (has_sign<T>) {
        if (b == -1) return 0;
    }
    return T(a % b);
}
template <typename T>
INLINE V<T> op_div(const V<T> &a, const V<T> &b) {
    if constexpr (sizeof(T) == 4) {
        // Quotients of 32 bits are exact in doubles, cut off: none is so near to the next whole number as a double's last bit.
        const V<f64> quotient = op_div_f(to<f64>(a), to<f64>(b));
        const u32 zero = is_eq(b, splat<T>(0));
        return choose(zero, splat<T>(T(~T{0})), to<T>(to<s64>(choose(u32(zero), splat<f64>(0), quotient))));
    } else {
        const Lanes<T> x(a), y(b);
        return by_lane<T>([&](unsigned lane) { return op_div(x[lane], y[lane]); });
    }
}
template <typename T>
INLINE V<T> op_rem(const V<T> &a, const V<T> &b) {
    if constexpr (sizeof(T) == 4) {
        return choose(is_eq(b, splat<T>(0)), a, op_sub(a, op_mul_lo(op_div(a, b), b)));
    } else {
        const Lanes<T> x(a), y(b);
        return by_lane<T>([&](unsigned lane) { return op_rem(x[lane], y[lane]); });
    }
}

// --- Floating point ---

INLINE f32 op_fma_f(f32 a, f32 b, f32 c) { return __builtin_fmaf(a, b, c); }
INLINE f64 op_fma_f(f64 a, f64 b, f64 c) { return __builtin_fma(a, b, c); }
template <typename T>
INLINE V<T> op_fma_f(const V<T> &a, const V<T> &b, const V<T> &c) {
#if defined(__AVX512DQ__)
    if constexpr (part_bytes<T> == 64) {
        return make<T>([&](int i) -> Part<T> {
            if constexpr (same<T, f32>) return (Part<T>)__builtin_ia32_vfmaddps512_mask(a.p[i], b.p[i], c.p[i], -1, 4);
            else return (Part<T>)__builtin_ia32_vfmaddpd512_mask(a.p[i], b.p[i], c.p[i], -1, 4);
        });
    }
#endif
#if defined(__FMA__)
    if constexpr (part_bytes<T> == 32) {
        return make<T>([&](int i) -> Part<T> {
            if constexpr (same<T, f32>) return (Part<T>)__builtin_ia32_vfmaddps256(a.p[i], b.p[i], c.p[i]);
            else return (Part<T>)__builtin_ia32_vfmaddpd256(a.p[i], b.p[i], c.p[i]);
        });
    }
#endif
    const Lanes<T> x(a), y(b), z(c);
    return by_lane<T>([&](unsigned lane) { return op_fma_f(x[lane], y[lane], z[lane]); });
}
INLINE f32 op_sqrt_f(f32 a) { return __builtin_sqrtf(a); }
INLINE f64 op_sqrt_f(f64 a) { return __builtin_sqrt(a); }
template <typename T>
INLINE V<T> op_sqrt_f(const V<T> &a) {
    const Lanes<T> x(a);
    return by_lane<T>([&](unsigned lane) { return op_sqrt_f(x[lane]); });
}
template <typename T>
INLINE V<T> op_rcp(const V<T> &a) {
    return op_div_f(splat<T>(1), a);
}
template <typename T>
INLINE T op_rcp(T a) {
    return T{1} / a;
}
INLINE f64 op_rsqrt(f64 a) { return 1.0 / __builtin_sqrt(a); }
INLINE f32 op_rsqrt(f32 a) { return f32(1.0 / __builtin_sqrt(f64(a))); }
INLINE V<f64> op_rsqrt(const V<f64> &a) { return op_rcp(op_sqrt_f(a)); }
INLINE V<f32> op_rsqrt(const V<f32> &a) { return to<f32>(op_rcp(op_sqrt_f(to<f64>(a)))); }
/// Functions of the C library by other names: what compilers know of them they round as they like, and the interpreter calls them.
#define MOG_OF_LIBRARY(name, symbol)                                                    \
    extern "C" f32 name##_of_library(f32) __asm__(symbol);                              \
    INLINE f32 name(f32 a) { return name##_of_library(a); }                             \
    INLINE V<f32> name(const V<f32> &a) {                                               \
        const Lanes<f32> x(a);                                                          \
        return by_lane<f32>([&](unsigned lane) { return name##_of_library(x[lane]); }); \
    }
MOG_OF_LIBRARY(op_sin, "sinf")
MOG_OF_LIBRARY(op_cos, "cosf")
MOG_OF_LIBRARY(op_lg2, "log2f")
MOG_OF_LIBRARY(op_ex2, "exp2f")
MOG_OF_LIBRARY(op_tanh, "tanhf")
INLINE f32 flushed(f32 a) { return (as<u32>(a) & 0x7f800000u) == 0 ? as<f32>(as<u32>(a) & 0x80000000u) : a; }
INLINE V<f32> flushed(const V<f32> &a) {
    const V<u32> bits = as<u32>(a);
    return as<f32>(choose(is_eq(op_and_(bits, splat<u32>(0x7f800000u)), splat<u32>(0)), op_and_(bits, splat<u32>(0x80000000u)), bits));
}
INLINE f64 flushed(f64 a) { return a; }
INLINE const V<f64> &flushed(const V<f64> &a) { return a; }
/// The less of two: -0 is less than 0, a number less than what is none.
template <bool least, typename T>
INLINE T chosen(T a, T b) {
    using I = Integer<T>;
    const bool is_less = a < b || (a == b && as<I>(a) < 0 && !(as<I>(b) < 0));
    T result = is_less == least ? a : b;
    if (a != a) result = b != b ? as<T>(I(~Natural<T>{0} >> 1)) : b;
    else if (b != b) result = a;
    return result;
}
template <bool least, typename T>
INLINE V<T> chosen(const V<T> &a, const V<T> &b) {
    using I = Integer<T>;
    const V<I> zero = splat<I>(0);
    const u32 is_less = is_lt(a, b) | (is_eq(a, b) & is_lt(as<I>(a), zero) & is_ge(as<I>(b), zero));
    const u32 a_none = negation(is_eq(a, a)), b_none = negation(is_eq(b, b));
    V<T> result = least ? choose(is_less, a, b) : choose(is_less, b, a);
    if ((a_none | b_none) != 0)
        result = choose(a_none & b_none, as<T>(splat<I>(I(~Natural<T>{0} >> 1))), choose(a_none, b, choose(b_none, a, result)));
    return result;
}
/// With .NaN, what is none goes on; with .xorsign, of sizes, and the sign is that of a product.
template <bool least, bool passes_none, bool has_product_sign, typename A>
INLINE A chosen_by(const A &a, const A &b) {
    using T = Element<A>;
    using N = Natural<T>;
    A result = has_product_sign ? chosen<least>(op_abs_f(a), op_abs_f(b)) : chosen<least>(a, b);
    if constexpr (has_product_sign) result = op_copysign(as<T>(op_xor_(as<N>(a), as<N>(b))), result);
    if constexpr (passes_none) result = choose(is_unordered(a, b), as<T>(like(as<N>(a), N(~N{0} >> 1))), result);
    return result;
}
template <bool passes_none = false, bool has_product_sign = false, typename A>
INLINE A op_min_f(const A &a, const A &b) {
    return chosen_by<true, passes_none, has_product_sign>(a, b);
}
template <bool passes_none = false, bool has_product_sign = false, typename A>
INLINE A op_max_f(const A &a, const A &b) {
    return chosen_by<false, passes_none, has_product_sign>(a, b);
}
/// What kind of number it is, by its bits.
enum Class { finite, infinite, number, notanumber, normal, subnormal };
template <Class which, typename A>
INLINE auto op_testp(const A &a) {
    using I = Integer<Element<A>>;
    constexpr int fraction = sizeof(I) == 4 ? 23 : 52;
    const auto size = as<I>(op_abs_f(a)), end = like(size, I((sizeof(I) == 4 ? I(0xff) : I(0x7ff)) << fraction)),
               least = like(size, I(I(1) << fraction));
    if constexpr (which == finite) return is_lt(size, end);
    else if constexpr (which == infinite) return is_eq(size, end);
    else if constexpr (which == number) return is_le(size, end);
    else if constexpr (which == notanumber) return is_gt(size, end);
    else if constexpr (which == normal) return is_ge(size, least) & is_lt(size, end);
    else return is_lt(size, least) & is_ne(size, like(size, I(0)));
}

// --- Rounding other than to the nearest ---

/// As the processor numbers them.
enum Rounding { downwards = 1, upwards, cut };
/// The same, and nothing is known of it before; compilers keep such things in order.
template <typename T>
INLINE T opaque(T x) {
    if constexpr (sizeof(T) <= 8 && !is_real<T>) asm volatile("" : "+r"(x));
    else asm volatile("" : "+x"(x));
    return x;
}
template <typename T>
INLINE V<T> opaque(const V<T> &v) {
    return make<T>([&](int i) { return opaque(v.p[i]); });
}
/// What is computed while the processor rounds so.
template <Rounding way, typename F, typename... A>
INLINE auto rounded(F f, const A &...a) {
    u32 before;
    asm volatile("stmxcsr %0" : "=m"(before));
    const u32 meanwhile = (before & ~(3u << 13)) | u32(way) << 13;
    asm volatile("ldmxcsr %0" : : "m"(meanwhile));
    const auto result = opaque(f(opaque(a)...));
    asm volatile("ldmxcsr %0" : : "m"(before));
    return result;
}
template <Rounding way, typename A>
INLINE A op_add_f(const A &a, const A &b) {
    return rounded<way>([](const A &x, const A &y) { return op_add_f(x, y); }, a, b);
}
template <Rounding way, typename A>
INLINE A op_sub_f(const A &a, const A &b) {
    return rounded<way>([](const A &x, const A &y) { return op_sub_f(x, y); }, a, b);
}
template <Rounding way, typename A>
INLINE A op_mul_f(const A &a, const A &b) {
    return rounded<way>([](const A &x, const A &y) { return op_mul_f(x, y); }, a, b);
}
template <Rounding way, typename A>
INLINE A op_div_f(const A &a, const A &b) {
    return rounded<way>([](const A &x, const A &y) { return op_div_f(x, y); }, a, b);
}
template <Rounding way, typename A>
INLINE A op_fma_f(const A &a, const A &b, const A &c) {
#if defined(__AVX512DQ__)
    // Instructions say how they round themselves. (The C library's exp() of 32 bits has one of these.)
    using T = Element<A>;
    if constexpr (!same<A, T> && part_bytes<T> == 64) {
        return make<T>([&](int i) -> Part<T> {
            if constexpr (same<T, f32>) return (Part<T>)__builtin_ia32_vfmaddps512_mask(a.p[i], b.p[i], c.p[i], -1, 8 | way);
            else return (Part<T>)__builtin_ia32_vfmaddpd512_mask(a.p[i], b.p[i], c.p[i], -1, 8 | way);
        });
    }
#endif
    return rounded<way>([](const A &x, const A &y, const A &z) { return op_fma_f(x, y, z); }, a, b, c);
}
template <Rounding way, typename A>
INLINE A op_sqrt_f(const A &a) {
    return rounded<way>([](const A &x) { return op_sqrt_f(x); }, a);
}
template <Rounding way, typename A>
INLINE A op_rcp(const A &a) {
    return rounded<way>([](const A &x) { return op_rcp(x); }, a);
}
/// A number of more bits, or an integer, as a float.
template <typename R, Rounding way, typename A>
INLINE auto to_rounded(const A &a) {
    return rounded<way>([](const A &x) { return to<R>(x); }, a);
}

// --- Floats of 16 bits, two of which may be in a register ---

INLINE V<u16> low_half(const V<u32> &pair) { return to<u16>(pair); }
INLINE V<u16> high_half(const V<u32> &pair) { return to<u16>(op_shr(pair, 16u)); }
INLINE V<u32> pair_of(const V<u16> &low, const V<u16> &high) { return op_or_(to<u32>(low), op_shl(to<u32>(high), 16u)); }
/// Modes of operations of 16 bits, by bits: .ftz, of halves alone; .sat; .relu.
enum HalfModes { flushes = 1, saturates = 2, cuts_negative = 4 };
template <typename A>
INLINE A flushed_halves(const A &a) {
    if constexpr (same<A, V<u16>>) return choose(is_eq(op_and_(a, splat<u16>(0x7c00)), splat<u16>(0)), op_and_(a, splat<u16>(0x8000)), a);
    else return pair_of(flushed_halves(low_half(a)), flushed_halves(high_half(a)));
}
/// What results become; `infinity`, `one`: as such numbers have them.
template <int modes>
INLINE V<u16> result_of_16_bits(V<u16> v, u16 infinity, u16 one) {
    if constexpr ((modes & flushes) != 0) v = flushed_halves(v);
    if constexpr ((modes & saturates) != 0) {
        const u32 is_positive = is_gt(as<s16>(v), splat<s16>(0)) & is_le(v, splat<u16>(infinity));
        v = choose(is_positive, op_min(v, splat<u16>(one)), splat<u16>(0));
    }
    if constexpr ((modes & cuts_negative) != 0) {
        // Not -0, and not what is no number.
        const u32 is_negative = is_gt(v, splat<u16>(0x8000)) & is_le(v, splat<u16>(u16(0x8000 | infinity)));
        v = choose(is_negative, splat<u16>(0), v);
    }
    return v;
}
/// A float that is not negative: before it becomes shorter.
template <typename A>
INLINE A not_negative(const A &a) {
    const A zero = like(a, Element<A>(0));
    return choose(is_lt(a, zero), zero, a);
}
/// A double as a float that can be rounded once more, to fewer bits: what is lost on the way sets the last bit.
INLINE V<f32> to_odd(const V<f64> &v) {
    const V<f32> near = to<f32>(v);
    const V<f64> back = to<f64>(near);
    const V<u32> bits = as<u32>(near);
    const u32 is_off = is_ne_ordered(back, v) & is_eq(op_and_(bits, splat<u32>(1)), splat<u32>(0));
    const V<u32> next = choose(is_gt(op_abs_f(v), op_abs_f(back)), op_add(bits, splat<u32>(1)), op_sub(bits, splat<u32>(1)));
    return as<f32>(choose(is_off, next, bits));
}
template <typename A>
INLINE A h_neg(const A &a) {
    return op_xor_(a, like(a, Element<A>(0x80008000u)));
}
template <typename A>
INLINE A h_abs(const A &a) {
    return op_and_(a, like(a, Element<A>(0x7fff7fffu)));
}
/// A sum that may be rounded once more, to fewer bits: what is lost sets the last bit.
template <typename T>
INLINE V<T> sum_to_odd(const V<T> &x, const V<T> &y) {
    using N = Natural<T>;
    const V<T> sum = op_add_f(x, y), part = op_sub_f(sum, x), zero = splat<T>(0);
    const V<T> lost = op_add_f(op_sub_f(x, op_sub_f(sum, part)), op_sub_f(y, part));
    const V<N> bits = as<N>(sum);
    const u32 is_off = is_ne_ordered(lost, zero) & is_eq(op_and_(bits, splat<N>(1)), splat<N>(0));
    const u32 is_more = negation(is_gt(lost, zero) ^ is_gt(sum, zero));
    return as<T>(choose(is_off, choose(is_more, op_add(bits, splat<N>(1)), op_sub(bits, splat<N>(1))), bits));
}

// --- Halves: floats of 16 bits, which the processor converts; results are rounded once, from floats that hold enough of them ---

#if defined(__F16C__) && MOG_LANES >= 8
typedef short EightHalves __attribute__((vector_size(16)));
typedef short SixteenHalves __attribute__((vector_size(32)));
/// (Templates, so that what is for parts of another size is not looked at.)
template <typename N>
INLINE V<f32> from_half(const V<N> &v) {
    using R = typename Choose<sizeof(N) == 2, f32, N>::type;
    alignas(64) N halves[lanes];
    to_memory(halves, v);
    return make<R>([&](int i) -> Part<R> {
#if defined(__AVX512DQ__)
        if constexpr (part_lanes<R> == 16) {
            typedef float W __attribute__((vector_size(64)));
            SixteenHalves some;
            __builtin_memcpy(&some, halves + i * 16, sizeof some);
            return (Part<R>)__builtin_ia32_vcvtph2ps512_mask(some, W{}, u16(~0u), 4);
        } else
#endif
        {
            EightHalves some;
            __builtin_memcpy(&some, halves + i * 8, sizeof some);
            return (Part<R>)__builtin_ia32_vcvtph2ps256(some);
        }
    });
}
template <int I, int rounding, typename T>
INLINE auto halves_of_part(const V<T> &v) {
#if defined(__AVX512DQ__)
    if constexpr (part_lanes<T> == 16) return (SixteenHalves)__builtin_ia32_vcvtps2ph512_mask(v.p[I], rounding, SixteenHalves{}, u16(~0u));
    else
#endif
        return (EightHalves)__builtin_ia32_vcvtps2ph256(v.p[I], rounding);
}
template <int rounding, int... I>
INLINE V<u16> to_half_(const V<f32> &v, Numbers<I...>) {
    if constexpr (parts<u16> == parts<f32>) {
        return V<u16>{{(Part<u16>)halves_of_part<I, rounding>(v)...}};
    } else {
        return V<u16>{
            {(Part<u16>)joined(halves_of_part<2 * I, rounding>(v), halves_of_part<2 * I + 1, rounding>(v), Count<part_lanes<u16>>())...}};
    }
}
/// `rounding`: 0, to the nearest, or one of Rounding.
template <int rounding = 0>
INLINE V<u16> to_half(const V<f32> &v) {
    return to_half_<rounding>(v, Count<parts<u16>>());
}
template <int modes, typename F, typename... A>
INLINE V<u16> halves_by(F f, const V<u16> &a, const A &...more) {
    if constexpr ((modes & flushes) != 0)
        return result_of_16_bits<modes>(to_half(f(from_half(flushed_halves(a)), from_half(flushed_halves(more))...)), 0x7c00, 0x3c00);
    else return result_of_16_bits<modes>(to_half(f(from_half(a), from_half(more)...)), 0x7c00, 0x3c00);
}
template <int modes, typename F, typename... A>
INLINE V<u32> halves_by(F f, const V<u32> &a, const A &...more) {
    return pair_of(halves_by<modes>(f, low_half(a), low_half(more)...), halves_by<modes>(f, high_half(a), high_half(more)...));
}
template <int modes, typename A>
INLINE A h_add(const A &a, const A &b) {
    return halves_by<modes>([](const V<f32> &x, const V<f32> &y) { return op_add_f(x, y); }, a, b);
}
template <int modes, typename A>
INLINE A h_sub(const A &a, const A &b) {
    return halves_by<modes>([](const V<f32> &x, const V<f32> &y) { return op_sub_f(x, y); }, a, b);
}
template <int modes, typename A>
INLINE A h_mul(const A &a, const A &b) {
    return halves_by<modes>([](const V<f32> &x, const V<f32> &y) { return op_mul_f(x, y); }, a, b);
}
template <int modes, bool passes_none, bool has_product_sign, typename A>
INLINE A h_min(const A &a, const A &b) {
    return halves_by<modes>([](const V<f32> &x, const V<f32> &y) { return op_min_f<passes_none, has_product_sign>(x, y); }, a, b);
}
template <int modes, bool passes_none, bool has_product_sign, typename A>
INLINE A h_max(const A &a, const A &b) {
    return halves_by<modes>([](const V<f32> &x, const V<f32> &y) { return op_max_f<passes_none, has_product_sign>(x, y); }, a, b);
}
/// The product is exact, and the sum is rounded once in all.
template <int modes, typename A>
INLINE A h_fma(const A &a, const A &b, const A &c) {
    return halves_by<modes>([](const V<f32> &x, const V<f32> &y, const V<f32> &z) { return sum_to_odd(op_mul_f(x, y), z); }, a, b, c);
}
#endif

// --- Brains: floats of 16 bits that have the exponents of those of 32; results are rounded once, from doubles that hold enough of them ---

#if MOG_LANES >= 8
INLINE V<f32> from_brain(const V<u16> &v) { return as<f32>(op_shl(to<u32>(v), 16u)); }
INLINE V<u16> to_brain(const V<f32> &v) {
    const V<u32> bits = as<u32>(v), odd = op_and_(op_shr(bits, 16u), splat<u32>(1));
    const V<u32> rounded = op_shr(op_add(op_add(bits, splat<u32>(0x7fff)), odd), 16u);
    return to<u16>(choose(is_eq(v, v), rounded, splat<u32>(0x7fff)));
}
INLINE V<u16> cut_to_brain(const V<f32> &v) { return to<u16>(choose(is_eq(v, v), op_shr(as<u32>(v), 16u), splat<u32>(0x7fff))); }
template <int modes, typename F, typename... A>
INLINE V<u16> brains_by(F f, const V<u16> &a, const A &...more) {
    return result_of_16_bits<modes & ~flushes>(to_brain(to_odd(f(to<f64>(from_brain(a)), to<f64>(from_brain(more))...))), 0x7f80, 0x3f80);
}
template <int modes, typename F, typename... A>
INLINE V<u32> brains_by(F f, const V<u32> &a, const A &...more) {
    return pair_of(brains_by<modes>(f, low_half(a), low_half(more)...), brains_by<modes>(f, high_half(a), high_half(more)...));
}
template <int modes, typename A>
INLINE A b_add(const A &a, const A &b) {
    return brains_by<modes>([](const V<f64> &x, const V<f64> &y) { return sum_to_odd(x, y); }, a, b);
}
template <int modes, typename A>
INLINE A b_sub(const A &a, const A &b) {
    return brains_by<modes>([](const V<f64> &x, const V<f64> &y) { return sum_to_odd(x, op_neg_f(y)); }, a, b);
}
template <int modes, typename A>
INLINE A b_mul(const A &a, const A &b) {
    return brains_by<modes>([](const V<f64> &x, const V<f64> &y) { return op_mul_f(x, y); }, a, b);
}
template <int modes, typename A>
INLINE A b_fma(const A &a, const A &b, const A &c) {
    return brains_by<modes>([](const V<f64> &x, const V<f64> &y, const V<f64> &z) { return sum_to_odd(op_mul_f(x, y), z); }, a, b, c);
}
template <int modes, bool passes_none, bool has_product_sign, typename A>
INLINE A b_min(const A &a, const A &b) {
    return brains_by<modes>([](const V<f64> &x, const V<f64> &y) { return op_min_f<passes_none, has_product_sign>(x, y); }, a, b);
}
template <int modes, bool passes_none, bool has_product_sign, typename A>
INLINE A b_max(const A &a, const A &b) {
    return brains_by<modes>([](const V<f64> &x, const V<f64> &y) { return op_max_f<passes_none, has_product_sign>(x, y); }, a, b);
}
#endif

// --- Conversions ---

/// A float as a whole number, which stays a float.
enum Whole { to_nearest, to_zero, to_less, to_more };
template <Whole way, typename A>
INLINE A whole_number(const A &x) {
    using T = Element<A>;
    // Where there are fractions, adding what has none rounds them off.
    const A big = like(x, T(sizeof(T) == 4 ? 8388608.0 : 4503599627370496.0)), one = like(x, T(1)), size = op_abs_f(x);
    A near = op_sub_f(op_add_f(size, big), big);
    if constexpr (way == to_zero) near = choose(is_gt(near, size), op_sub_f(near, one), near);
    near = op_copysign(x, near);
    if constexpr (way == to_less) near = op_copysign(x, choose(is_gt(near, x), op_sub_f(near, one), near));
    if constexpr (way == to_more) near = op_copysign(x, choose(is_lt(near, x), op_add_f(near, one), near));
    return choose(is_lt(size, big), near, x);
}
/// An integer as one of another type, or what is nearest there.
template <typename R, typename A>
INLINE auto saturated(const A &x) {
    using T = Element<A>;
    constexpr auto least = [](bool sign, unsigned bits) { return sign ? -(__int128(1) << (bits - 1)) : __int128(0); };
    constexpr auto most = [](bool sign, unsigned bits) { return (__int128(1) << (bits - (sign ? 1 : 0))) - 1; };
    constexpr __int128 low = least(has_sign<R>, 8 * sizeof(R)), high = most(has_sign<R>, 8 * sizeof(R));
    constexpr __int128 from_low = least(has_sign<T>, 8 * sizeof(T)), from_high = most(has_sign<T>, 8 * sizeof(T));
    return to<R>(op_min(op_max(x, like(x, T(low > from_low ? low : from_low))), like(x, T(high < from_high ? high : from_high))));
}

// --- Sums with a carry: a bit for each lane ---

template <bool takes, typename A>
INLINE A add_carry(const A &a, const A &b, u32 in, u32 &out) {
    using T = Element<A>;
    A sum = op_add(a, b);
    out = u32(is_lt(sum, a));
    if constexpr (takes) {
        sum = op_add(sum, choose(in, like(a, T(1)), like(a, T(0))));
        out |= u32(is_eq(sum, like(a, T(0)))) & in;
    }
    return sum;
}
template <bool takes, typename A>
INLINE A sub_carry(const A &a, const A &b, u32 in, u32 &out) {
    using T = Element<A>;
    A difference = op_sub(a, b);
    out = u32(is_lt(a, b));
    if constexpr (takes) {
        out |= u32(is_eq(difference, like(a, T(0)))) & in;
        difference = op_sub(difference, choose(in, like(a, T(1)), like(a, T(0))));
    }
    return difference;
}

/// Of floats to integers, towards zero: what is no number gives 0, or the least; what does not fit gives what is nearest.
template <typename R, typename T>
INLINE R cut_off(T x) {
    using N = Natural<R>;
    constexpr R greatest = R(has_sign<R> ? N(~N{0}) >> 1 : N(~N{0})), smallest = R(has_sign<R> ? N{1} << (8 * sizeof(R) - 1) : N{0});
    constexpr T above = T(greatest / 2 + 1) * 2;
    if (x != x) return sizeof(T) == 8 || sizeof(R) == 8 ? R(N{1} << (8 * sizeof(R) - 1)) : R{0};
    if (x >= above) return greatest;
    if (x <= T(smallest)) return smallest;
    return R(x);
}
template <typename R, typename T>
INLINE V<R> cut_off(const V<T> &v) {
    if constexpr (same<R, s32> && same<T, f32>) {
        const V<R> plain = to<R>(v);  // what does not fit is the least number
        const u32 high = is_ge(v, splat<T>(2147483648.0f)), none = negation(is_eq(v, v));
        if (__builtin_expect((high | none) == 0, 1)) return plain;
        return choose(high, splat<R>(0x7fffffff), choose(none, splat<R>(0), plain));
    } else {
        const Lanes<T> x(v);
        return by_lane<R>([&](unsigned lane) { return cut_off<R>(x[lane]); });
    }
}

// --- Memory ---

template <typename T>
INLINE T load(u64 address) {
    T value;
    __builtin_memcpy(&value, (const void *)address, sizeof value);
    return value;
}
template <typename T>
INLINE void store(u64 address, T value) {
    __builtin_memcpy((void *)address, &value, sizeof value);
}
/// What lanes hold that follow each other in memory.
template <typename T>
INLINE V<T> load_row(u64 address, u32 mask) {
    if (mask == full) return from_memory<T>((const void *)address);
#if defined(__AVX512DQ__)
    if constexpr (has_masks<T>) {
        return make<T>([&](int i) -> Part<T> {
            const u64 from = address + u64(i * part_bytes<T>);
            if constexpr (sizeof(T) == 4) {
                typedef int W __attribute__((vector_size(64)));
                return (Part<T>)__builtin_ia32_loaddqusi512_mask((const int *)from, W{}, u16(mask >> (i * 16)));
            } else {
                typedef long long W __attribute__((vector_size(64)));
                return (Part<T>)__builtin_ia32_loaddqudi512_mask((const long long *)from, W{}, u8(mask >> (i * 8)));
            }
        });
    }
#endif
#if defined(__AVX2__)
    if constexpr (part_bytes<T> == 32 && sizeof(T) == 4) {
        const V<s32> wanted = choose(mask, splat<s32>(-1), splat<s32>(0));
        return make<T>([&](int i) -> Part<T> {
            typedef int W __attribute__((vector_size(32)));
            return (Part<T>)__builtin_ia32_maskloadd256((const W *)(address + u64(i * part_bytes<T>)), (W)wanted.p[i]);
        });
    }
#endif
#if defined(__AVX512BW__)
    if constexpr (lanes == 32 && sizeof(T) == 1) {
        typedef char W __attribute__((vector_size(32)));
        return V<T>{{(Part<T>)__builtin_ia32_loaddquqi256_mask((const char *)address, W{}, mask)}};
    } else if constexpr (lanes == 32 && sizeof(T) == 2) {
        typedef short W __attribute__((vector_size(64)));
        return V<T>{{(Part<T>)__builtin_ia32_loaddquhi512_mask((const short *)address, W{}, mask)}};
    }
#endif
    alignas(64) T values[lanes] = {};
    for (u32 left = mask; left != 0; left &= left - 1) {
        const u32 lane = u32(__builtin_ctz(left));
        values[lane] = load<T>(address + lane * sizeof(T));
    }
    return from_memory<T>(values);
}
template <typename T>
INLINE void store_row(u64 address, const V<T> &v, u32 mask) {
    if (mask == full) {
        to_memory((void *)address, v);
        return;
    }
#if defined(__AVX512DQ__)
    if constexpr (has_masks<T>) {
        for (int i = 0; i < parts<T>; ++i) {
            const u64 at = address + u64(i * part_bytes<T>);
            if constexpr (sizeof(T) == 4) {
                typedef int W __attribute__((vector_size(64)));
                __builtin_ia32_storedqusi512_mask((int *)at, (W)v.p[i], u16(mask >> (i * 16)));
            } else {
                typedef long long W __attribute__((vector_size(64)));
                __builtin_ia32_storedqudi512_mask((long long *)at, (W)v.p[i], u8(mask >> (i * 8)));
            }
        }
        return;
    }
#endif
#if defined(__AVX2__)
    if constexpr (part_bytes<T> == 32 && sizeof(T) == 4) {
        const V<s32> wanted = choose(mask, splat<s32>(-1), splat<s32>(0));
        for (int i = 0; i < parts<T>; ++i) {
            typedef int W __attribute__((vector_size(32)));
            __builtin_ia32_maskstored256((W *)(address + u64(i * part_bytes<T>)), (W)wanted.p[i], (W)v.p[i]);
        }
        return;
    }
#endif
#if defined(__AVX512BW__)
    if constexpr (lanes == 32 && sizeof(T) == 1) {
        typedef char W __attribute__((vector_size(32)));
        return __builtin_ia32_storedquqi256_mask((char *)address, (W)v.p[0], mask);
    } else if constexpr (lanes == 32 && sizeof(T) == 2) {
        typedef short W __attribute__((vector_size(64)));
        return __builtin_ia32_storedquhi512_mask((short *)address, (W)v.p[0], mask);
    }
#endif
    const Lanes<T> values(v);
    for (u32 left = mask; left != 0; left &= left - 1) {
        const u32 lane = u32(__builtin_ctz(left));
        store<T>(address + lane * sizeof(T), values[lane]);
    }
}
/// Whether addresses that nothing was known of follow each other, as those of a line do that is moved: `t ^ step` for steps of whole units.
template <typename T>
INLINE bool are_row(const V<u64> &addresses, u32 mask) {
    if (mask != full) return false;
    const u64 first = addresses.p[0][0];
    if (addresses.p[parts<u64> - 1][part_lanes<u64> - 1] != first + (lanes - 1) * sizeof(T)) return false;
    return is_ne(addresses, line<u64>(first, sizeof(T))) == 0;
}
template <typename T>
INLINE V<T> gather(const V<u64> &addresses, u32 mask) {
    if constexpr (lanes > 1)
        if (are_row<T>(addresses, mask)) {
            V<T> row = from_memory<T>((const void *)addresses.p[0][0]);
            // Loads stay apart from what is computed of them, whose line is another: faults are told of theirs.
            for (int i = 0; i < parts<T>; ++i) asm("" : "+x"(row.p[i]));
            return row;
        }
#if defined(__AVX512DQ__)
    if constexpr (sizeof(T) == 4 && part_bytes<u64> == 64) {
        typedef int W __attribute__((vector_size(32)));
        typedef long long A __attribute__((vector_size(64)));
        V<T> result;
        for (int i = 0; i < parts<u64>; ++i) {
            const W some = __builtin_ia32_gatherdiv16si(W{}, (const int *)0, (A)addresses.p[i], u8(mask >> (i * 8)), 1);
            __builtin_memcpy((char *)&result + i * 32, &some, 32);
        }
        return result;
    } else if constexpr (sizeof(T) == 8 && part_bytes<u64> == 64) {
        typedef long long A __attribute__((vector_size(64)));
        return make<T>([&](int i) -> Part<T> {
            return (Part<T>)__builtin_ia32_gatherdiv8di(A{}, (const long long *)0, (A)addresses.p[i], u8(mask >> (i * 8)), 1);
        });
    }
#endif
    const Lanes<u64> from(addresses);
    alignas(64) T values[lanes] = {};
    for (u32 left = mask; left != 0; left &= left - 1) {
        const u32 lane = u32(__builtin_ctz(left));
        values[lane] = load<T>(from[lane]);
    }
    return from_memory<T>(values);
}
template <typename T>
INLINE void scatter(const V<u64> &addresses, const V<T> &v, u32 mask) {
    if constexpr (lanes > 1)
        if (are_row<T>(addresses, mask)) return to_memory((void *)addresses.p[0][0], v);
    const Lanes<u64> to_(addresses);
    const Lanes<T> values(v);
    for (u32 left = mask; left != 0; left &= left - 1) {
        const u32 lane = u32(__builtin_ctz(left));
        store<T>(to_[lane], values[lane]);
    }
}
template <typename T>
INLINE V<T> load_stride(u64 address, s64 stride, u32 mask) {
    if (mask == full) return by_lane<T>([&](unsigned lane) { return load<T>(address + u64(stride * s64(lane))); });
    alignas(64) T values[lanes] = {};
    for (u32 left = mask; left != 0; left &= left - 1) {
        const u32 lane = u32(__builtin_ctz(left));
        values[lane] = load<T>(address + u64(stride * s64(lane)));
    }
    return from_memory<T>(values);
}
template <typename T>
INLINE void store_stride(u64 address, s64 stride, const V<T> &v, u32 mask) {
    const Lanes<T> values(v);
    for (u32 left = mask; left != 0; left &= left - 1) {
        const u32 lane = u32(__builtin_ctz(left));
        store<T>(address + u64(stride * s64(lane)), values[lane]);
    }
}
/// Of a column, each lane's own, that is `of_lane` bytes from the next.
template <typename T, typename O>
INLINE V<u64> own_addresses(u64 base, u64 of_lane, const V<O> &offset) {
    const V<u64> wide = to<u64>(offset);
    return make<u64>([&](int i) -> Part<u64> {
        Part<u64> number;
        for (int lane = 0; lane < part_lanes<u64>; ++lane) number[lane] = u64(i * part_lanes<u64> + lane);
        return wide.p[i] + base + number * of_lane;
    });
}

/// Whether lanes of a line of 32 bits are one when widened, too: from the first to the last of them, nothing wraps.
INLINE bool widens_signed(u32 base, s64 stride, u32 mask) {
    const u32 first = first_of(mask);
    const s64 from = s32(base + u32(stride * s64(first))), end = from + stride * s64(last_of(mask) - first);
    return end == s64(s32(end));
}
INLINE bool widens_unsigned(u32 base, s64 stride, u32 mask) {
    const u32 first = first_of(mask);
    const s64 from = base + u32(stride * s64(first)), end = from + stride * s64(last_of(mask) - first);
    return end == s64(u32(end));
}
/// The base of the widened line, of what widens_...() holds.
INLINE u64 widened_signed(u32 base, s64 stride, u32 mask) {
    const s64 first = first_of(mask);
    return u64(s64(s32(base + u32(stride * first))) - stride * first);
}
INLINE u64 widened_unsigned(u32 base, s64 stride, u32 mask) {
    const s64 first = first_of(mask);
    return u64(s64(base + u32(stride * first)) - stride * first);
}

// --- A warp ---

enum Shuffle { shuffle_up, shuffle_down, shuffle_bfly, shuffle_idx };
template <Shuffle how>
INLINE V<u32> shuffled(const V<u32> &value, const V<u32> &by, const V<u32> &bounds, u32 mask, u32 &in_range) {
    const Lanes<u32> a(value), b(by), c(bounds);
    alignas(64) u32 values[lanes];
    u32 in = 0;
    for (u32 lane = 0; lane < lanes; ++lane) {
        const u32 step = b[lane] & 31, segment = c[lane] >> 8 & 31, bound = c[lane] & 31;
        const u32 most = (lane & segment) | (bound & ~segment), least = lane & segment;
        u32 from = lane;
        bool is_in = false;
        if constexpr (how == shuffle_up) {
            from = lane - step;
            is_in = s32(from) >= s32(most);
        } else if constexpr (how == shuffle_down) {
            from = lane + step;
            is_in = from <= most;
        } else if constexpr (how == shuffle_bfly) {
            from = lane ^ step;
            is_in = from <= most;
        } else {
            from = least | (step & ~segment);
            is_in = from <= most;
        }
        if (!is_in || (mask >> (from & 31) & 1) == 0) from = lane;
        values[lane] = a[from & (lanes - 1)];
        in |= u32(is_in) << lane;
    }
    in_range = in & mask;
    return from_memory<u32>(values);
}

/// The same where all lanes say the same: what is shuffled is a row of memory, read elsewhere, or parts of it in another order.
template <Shuffle how>
INLINE V<u32> shuffled(const V<u32> &value, u32 by, u32 bounds, u32 mask, u32 &in_range) {
    const u32 step = by & 31, segment = bounds >> 8 & 31, bound = bounds & 31;
    if (lanes != 32 || (how == shuffle_idx && segment != 0 && parts<u32> != 2))
        return shuffled<how>(value, splat<u32>(by), splat<u32>(bounds), mask, in_range);
    const V<u32> lane = line<u32>(0, 1);
    const V<u32> least = op_and_(lane, splat<u32>(segment)), most = op_or_(least, splat<u32>(bound & ~segment));
    V<u32> from;
    u32 in = 0;
    if constexpr (how == shuffle_up) {
        from = op_sub(lane, splat<u32>(step));
        in = is_ge(as<s32>(from), as<s32>(most));
    } else {
        if constexpr (how == shuffle_down) from = op_add(lane, splat<u32>(step));
        else if constexpr (how == shuffle_bfly) from = op_xor_(lane, splat<u32>(step));
        else from = op_or_(least, splat<u32>(step & ~segment));
        in = is_le(from, most);
    }
    u32 takes = in;
    if (mask != full) takes &= is_ne(op_and_(op_shr(splat<u32>(mask), op_and_(from, splat<u32>(31))), splat<u32>(1)), splat<u32>(0));
    in_range = in & mask;
#if defined(__AVX512DQ__)
    if constexpr (parts<u32> == 2) {
        from = choose(takes, from, lane);
        return make<u32>([&](int i) -> Part<u32> { return __builtin_shuffle(value.p[0], value.p[1], from.p[i]); });
    }
#endif
    alignas(64) u32 row[3 * lanes];
    to_memory(row + lanes, value);
    V<u32> moved;
    if constexpr (how == shuffle_up) {
        moved = from_memory<u32>(row + lanes - step);
    } else if constexpr (how == shuffle_down) {
        moved = from_memory<u32>(row + lanes + step);
    } else if constexpr (how == shuffle_idx) {
        moved = splat<u32>(row[lanes + step]);
    } else {
        constexpr u32 width = part_lanes<u32>;
        const Part<u32> order = lane.p[0] ^ (step & (width - 1));
        moved = make<u32>([&](int i) -> Part<u32> {
            Part<u32> part;
            __builtin_memcpy(&part, row + lanes + (u32(i) * width ^ (step & ~(width - 1))), sizeof part);
            return __builtin_shuffle(part, order);
        });
    }
    return choose(takes, moved, value);
}

/// Lanes that name the same others; whom each lane names is the same for all of them, or a value of each.
struct Everybody {};
template <typename F>
INLINE void each_part(Everybody, u32 m, F f) {
    f(m);
}
template <typename F>
INLINE void each_part(const V<u32> &named, u32 m, F f) {
    for (u32 left = m; left != 0;) {
        const u32 part = left & is_eq(named, splat<u32>(at(named, u32(__builtin_ctz(left)))));
        f(part);
        left &= ~part;
    }
}
INLINE u32 all_named(const V<u32> &named, u32 m) {
    u32 all = 0;
    each_part(named, m, [&](u32 part) { all |= at(named, u32(__builtin_ctz(part))); });
    return all;
}
template <typename N>
INLINE V<u32> ballots(const N &named, u32 bits, u32 m) {
    V<u32> result = splat<u32>(0);
    each_part(named, m, [&](u32 part) { result = choose(part, splat<u32>(bits & part), result); });
    return result;
}
enum Vote { vote_all, vote_any, vote_uni };
template <Vote how, typename N>
INLINE u32 votes(const N &named, u32 bits, u32 m) {
    u32 result = 0;
    each_part(named, m, [&](u32 part) {
        const u32 yes = bits & part;
        const bool holds = how == vote_any ? yes != 0 : yes == part || (how == vote_uni && yes == 0);
        if (holds) result |= part;
    });
    return result;
}
/// Of each lane, those that bring the same.
template <typename N, typename T>
INLINE V<u32> matched_any(const N &named, const V<T> &value, u32 m) {
    V<u32> result = splat<u32>(0);
    each_part(named, m, [&](u32 part) {
        for (u32 left = part; left != 0;) {
            const u32 alike = left & is_eq(value, splat<T>(at(value, u32(__builtin_ctz(left)))));
            result = choose(alike, splat<u32>(alike), result);
            left &= ~alike;
        }
    });
    return result;
}
template <typename N, typename T>
INLINE V<u32> matched_all(const N &named, const V<T> &value, u32 m, u32 &alike) {
    V<u32> result = splat<u32>(0);
    alike = 0;
    each_part(named, m, [&](u32 part) {
        if ((part & ~is_eq(value, splat<T>(at(value, u32(__builtin_ctz(part)))))) != 0) return;
        result = choose(part, splat<u32>(part), result);
        alike |= part;
    });
    return result;
}
enum Redux { redux_add, redux_min, redux_max, redux_and_, redux_or_, redux_xor_ };
template <Redux how, typename N, typename T>
INLINE V<T> reduced(const N &named, const V<T> &value, u32 m) {
    const Lanes<T> x(value);
    V<T> result = splat<T>(0);
    each_part(named, m, [&](u32 part) {
        T all = x[u32(__builtin_ctz(part))];
        for (u32 left = part & (part - 1); left != 0; left &= left - 1) {
            const T one = x[u32(__builtin_ctz(left))];
            if constexpr (how == redux_add) all = op_add(all, one);
            else if constexpr (how == redux_min) all = op_min(all, one);
            else if constexpr (how == redux_max) all = op_max(all, one);
            else if constexpr (how == redux_and_) all &= one;
            else if constexpr (how == redux_or_) all |= one;
            else all ^= one;
        }
        result = choose(part, splat<T>(all), result);
    });
    return result;
}
template <typename N>
INLINE V<u32> elected(const N &named, u32 m, u32 &chosen_ones) {
    V<u32> result = splat<u32>(0);
    chosen_ones = 0;
    each_part(named, m, [&](u32 part) {
        const u32 first = u32(__builtin_ctz(part));
        result = choose(part, splat<u32>(first), result);
        chosen_ones |= 1u << first;
    });
    return result;
}

// --- Atomic operations, lane after lane ---

enum Atomic { atomic_add, atomic_min, atomic_max, atomic_and_, atomic_or_, atomic_xor_, atomic_exch, atomic_cas, atomic_inc, atomic_dec };
template <Atomic how, typename T>
INLINE T after(T a, T b, T c) {
    if constexpr (how == atomic_exch) return b;
    else if constexpr (how == atomic_cas) return a == b ? c : a;
    else if constexpr (is_real<T>) return a + b;
    else if constexpr (how == atomic_add) return op_add(a, b);
    else if constexpr (how == atomic_min) return op_min(a, b);
    else if constexpr (how == atomic_max) return op_max(a, b);
    else if constexpr (how == atomic_and_) return a & b;
    else if constexpr (how == atomic_or_) return a | b;
    else if constexpr (how == atomic_xor_) return a ^ b;
    else if constexpr (how == atomic_inc) return a >= b ? T(0) : a + 1;
    else return a == 0 || a > b ? b : a - 1;
}
/// The cell becomes what `f` makes of it, at once; what was there.
template <bool is_own, typename T, typename F>
INLINE T exchanged(u64 address, F f) {
    using N = Natural<T>;
    if constexpr (is_own) {
        // Memory of the block is that of one thread of the process.
        const T before = load<T>(address);
        store<T>(address, f(before));
        return before;
    } else {
        N *const cell = (N *)address;
        N before = __atomic_load_n(cell, __ATOMIC_SEQ_CST);
        while (!__atomic_compare_exchange_n(cell, &before, as<N>(f(as<T>(before))), true, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
        }
        return as<T>(before);
    }
}
/// What was there.
template <Atomic how, bool is_own, typename T>
INLINE T changed(u64 address, T b, T c) {
    using N = Natural<T>;
    N *const cell = (N *)address;
    if constexpr (!is_own && !is_real<T> && how == atomic_add) {
        return as<T>(__atomic_fetch_add(cell, as<N>(b), __ATOMIC_SEQ_CST));
    } else if constexpr (!is_own && how == atomic_exch) {
        return as<T>(__atomic_exchange_n(cell, as<N>(b), __ATOMIC_SEQ_CST));
    } else if constexpr (!is_own && how == atomic_cas) {
        N expected = as<N>(b);
        __atomic_compare_exchange_n(cell, &expected, as<N>(c), false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
        return as<T>(expected);
    } else {
        return exchanged<is_own, T>(address, [&](T a) { return after<how>(a, b, c); });
    }
}
template <typename F>
INLINE void each_lane(u32 mask, F f) {
    if (mask == full) {
#pragma GCC unroll 4
        for (u32 lane = 0; lane < lanes; ++lane) f(lane);
        return;
    }
    for (u32 left = mask; left != 0; left &= left - 1) f(u32(__builtin_ctz(left)));
}
/// What lanes bring: each its own, or all the same.
template <typename T>
INLINE Lanes<T> brought_by(const V<T> &v) {
    return Lanes<T>(v);
}
template <typename T>
struct Same {
    T value;
    INLINE T operator[](unsigned) const { return value; }
};
template <typename T>
INLINE Same<T> brought_by(T x) {
    return {x};
}
/// Each lane at its own address. `is_wanted`: somebody reads what was there.
template <Atomic how, bool is_own, bool is_wanted, typename T, typename B, typename C>
INLINE V<T> changed_each(const V<u64> &addresses, const B &b, const C &c, u32 mask) {
    const Lanes<u64> at_(addresses);
    const auto x = brought_by(b);
    const auto y = brought_by(c);
    if constexpr (!is_wanted) {
        each_lane(mask, [&](u32 lane) { changed<how, is_own, T>(at_[lane], x[lane], y[lane]); });
        return {};
    }
    alignas(64) T values[lanes];
    each_lane(mask, [&](u32 lane) { values[lane] = changed<how, is_own, T>(at_[lane], x[lane], y[lane]); });
    return from_memory<T>(values);
}
/// What one lane brings instead of all of them that bring b, whose order does not matter.
template <Atomic how, typename T>
INLINE T together(const V<T> &b, u32 mask) {
    const T rest = how == atomic_add || how == atomic_xor_ ? T(0) : at(b, first_of(mask));
    const V<T> all = mask == full ? b : choose(mask, b, splat<T>(rest));
    const auto both = [](auto x, auto y) {
        if constexpr (how == atomic_add) return x + y;
        else if constexpr (how == atomic_min) return x < y ? x : y;
        else if constexpr (how == atomic_max) return x < y ? y : x;
        else if constexpr (how == atomic_and_) return x & y;
        else if constexpr (how == atomic_or_) return x | y;
        else return x ^ y;
    };
    Part<T> part = all.p[0];
    for (int i = 1; i < parts<T>; ++i) part = both(part, all.p[i]);
    T result = part[0];
    for (int lane = 1; lane < part_lanes<T>; ++lane) result = T(both(result, T(part[lane])));
    return result;
}
/// All lanes at one address: it is changed once. (Mask: some do.)
template <Atomic how, bool is_own, bool is_wanted, typename T>
INLINE V<T> changed_at_one(u64 address, const V<T> &b, const V<T> &c, u32 mask) {
    constexpr bool is_sum = !is_real<T> && how == atomic_add;
    constexpr bool has_any_order =
        is_sum || how == atomic_min || how == atomic_max || how == atomic_and_ || how == atomic_or_ || how == atomic_xor_;
    if constexpr (has_any_order && (is_sum || !is_wanted)) {
        const T before = changed<how, is_own, T>(address, together<how>(b, mask), T(0));
        if constexpr (!is_wanted) return {};
        // What each lane would have found.
        const Lanes<T> x(b);
        alignas(64) T values[lanes];
        T now = before;
        each_lane(mask, [&](u32 lane) {
            values[lane] = now;
            now = after<how>(now, x[lane], T(0));
        });
        return from_memory<T>(values);
    } else {
        const Lanes<T> x(b), y(c);
        alignas(64) T values[lanes];
        exchanged<is_own, T>(address, [&](T now) {
            each_lane(mask, [&](u32 lane) {
                values[lane] = now;
                now = after<how>(now, x[lane], y[lane]);
            });
            return now;
        });
        return from_memory<T>(values);
    }
}

// --- Frames of the interpreter ---

template <typename T>
INLINE void to_frame(u8 *frame, u32 lane, const V<T> &v) {
    to_memory(frame + lane * sizeof(T), v);
}
template <typename T>
INLINE V<T> from_frame(const u8 *frame, u32 lane) {
    return from_memory<T>(frame + lane * sizeof(T));
}
INLINE void mask_to_frame(u8 *frame, u32 lane, u32 bits) {
    u32 word = load<u32>((u64)frame);
    word = (word & ~(full << lane)) | (bits & full) << lane;
    store<u32>((u64)frame, word);
}
INLINE u32 mask_from_frame(const u8 *frame, u32 lane) { return load<u32>((u64)frame) >> lane & full; }

// --- Calls ---

/// Calls in each other, of which the interpreter says that there are too many; and whether one more has room on the stack of the process,
/// and in the memory of threads, of which `local_end` bytes would be taken.
constexpr u32 most_depth = 99998;
INLINE bool has_room(const Context *c, u64 local_end, u32 depth) {
    return (const u8 *)__builtin_frame_address(0) > c->stack_end && local_end <= c->local_stride && depth < most_depth;
}
INLINE CalledFrame *own_frame(Context *c, u32 u, CalledFrame *&own, u32 function, u32 local_begin, u32 depth) {
    if (own == nullptr) own = c->enter(c, u, function, local_begin, depth);
    return own;
}
/// Variables of lanes, each of so many bytes.
template <u32 bytes>
INLINE void copy_lanes(u8 *to_, const u8 *from, u32 mask) {
    if (mask == full) {
        __builtin_memcpy(to_, from, bytes * lanes);
        return;
    }
    for (u32 left = mask; left != 0; left &= left - 1) {
        const u32 lane = u32(__builtin_ctz(left));
        __builtin_memcpy(to_ + lane * bytes, from + lane * bytes, bytes);
    }
}
/// Into a frame, where they are further apart.
COLD void held_to_frame(u8 *frame, u32 stride, const u8 *from, u32 bytes) {
    for (u32 lane = 0; lane < lanes; ++lane)
        for (u32 byte = 0; byte < bytes; ++byte) frame[lane * stride + byte] = from[lane * bytes + byte];
}

}  // namespace
}  // namespace mog::ptx
