/* lanes_vectors.h: what lanes_avx512.h has, for processors without AVX-512: by g++'s vector extensions, and by AVX2
 * where it is worth it. Answers of comparisons are vectors of 0 and -1. */
#ifndef LANES_AVX512
/* Where g++ has names for instructions that its vectors have no operator for. */
#if defined(__SSE2__) && !defined(__clang__)
#define LANES_SSE2
#ifdef __AVX2__
#define LANES_AVX2
#endif
#endif

namespace lanes {
/* A set of lanes. */
typedef unsigned Bits;
struct K {
    I32 k;
};
INLINE K operator||(K a, K b) { return {a.k | b.k}; }
INLINE K operator&&(K a, K b) { return {a.k & b.k}; }
INLINE U32 number(K a) { return as<::u32>(a.k) & splat(1u); }
template <class T> INLINE K equal(Wide<T, 16> a, Wide<T, 16> b) { return {convert<::i32>(a == b)}; }
template <class T> INLINE K unequal(Wide<T, 16> a, Wide<T, 16> b) { return {convert<::i32>(a != b)}; }
template <class T> INLINE K less(Wide<T, 16> a, Wide<T, 16> b) { return {convert<::i32>(a < b)}; }
template <class T> INLINE K at_most(Wide<T, 16> a, Wide<T, 16> b) { return {convert<::i32>(a <= b)}; }
template <class T> INLINE K at_least(Wide<T, 16> a, Wide<T, 16> b) { return {convert<::i32>(a >= b)}; }
template <class T> INLINE K unordered(Wide<T, 16> a, Wide<T, 16> b) { return {convert<::i32>((a != a) | (b != b))}; }

/* A bit for each lane. */
alignas(64) static const ::u32 lane_bit[16] = {1,   2,   4,    8,    16,   32,   64,    128,
                                               256, 512, 1024, 2048, 4096, 8192, 16384, 32768};
INLINE Bits bits(K a)
{
#if defined(LANES_AVX2)
    typedef float Floats __attribute__((vector_size(32)));
    return (unsigned)__builtin_ia32_movmskps256((Floats)a.k.low.v) |
           (unsigned)__builtin_ia32_movmskps256((Floats)a.k.high.v) << 8;
#elif defined(LANES_SSE2)
    typedef short Halves __attribute__((vector_size(16)));
    typedef char Bytes __attribute__((vector_size(16)));
    const Halves low = (Halves)__builtin_ia32_packssdw128(a.k.low.low.v, a.k.low.high.v);
    const Halves high = (Halves)__builtin_ia32_packssdw128(a.k.high.low.v, a.k.high.high.v);
    return (unsigned)__builtin_ia32_pmovmskb128((Bytes)__builtin_ia32_packsswb128(low, high));
#else
    const U32 one = as<::u32>(a.k) & load<::u32, 16>(lane_bit);
    const Wide<::u32, 8> eight = low_half(one) | high_half(one);
    const Wide<::u32, 4> four = low_half(eight) | high_half(eight);
    return four.v[0] | four.v[1] | four.v[2] | four.v[3];
#endif
}
INLINE I32 mask(Bits m) { const U32 bit = load<::u32, 16>(lane_bit); return (splat(m) & bit) == bit; }
INLINE U32 choose_lanes(Bits m, U32 yes, U32 no) { return select(mask(m), yes, no); }
INLINE U64 choose_lanes(Bits m, U64 yes, U64 no) { return select(convert<::i64>(mask(m)), yes, no); }
INLINE void store_lanes(::u32 *to, U32 x, Bits m)
{
    if (__builtin_expect(m == 0xffffu, 1)) store(to, x);
    else store(to, choose_lanes(m, x, load<::u32, 16>(to)));
}
/* Functions of their own: registers for vectors are few, so most of what is live is in memory anyway. */
static __attribute__((noinline, unused)) void gather_lanes(const ::u32 *from, const U32 *index, Bits m, U32 *x)
{
#ifdef LANES_AVX2
    typedef int Words __attribute__((vector_size(32)));
    const I32 which = mask(m);
    const Words none{};
    x->low.v = (Wide<::u32, 8>::Vector)__builtin_ia32_gathersiv8si(none, (const int *)from, (Words)index->low.v,
                                                                   (Words)which.low.v, 4);
    x->high.v = (Wide<::u32, 8>::Vector)__builtin_ia32_gathersiv8si(none, (const int *)from, (Words)index->high.v,
                                                                    (Words)which.high.v, 4);
#else
    alignas(64) ::u32 at[16], words[16];
    store(at, *index);
    for (; m != 0u; m &= m - 1u) { const int k = __builtin_ctz(m); words[k] = from[at[k]]; }
    *x = load<::u32, 16>(words);
#endif
}
INLINE U32 gather(const ::u32 *from, U32 index, Bits m) { U32 x; gather_lanes(from, &index, m, &x); return x; }
static __attribute__((noinline, unused)) void scatter_lanes(::u32 *to, const U32 *index, const U32 *x, Bits m)
{
    alignas(64) ::u32 at[16], words[16];
    store(at, *index);
    store(words, *x);
    for (; m != 0u; m &= m - 1u) { const int k = __builtin_ctz(m); to[at[k]] = words[k]; }
}
INLINE void scatter(::u32 *to, U32 index, U32 x, Bits m) { scatter_lanes(to, &index, &x, m); }
template <int n>
INLINE unsigned first_lane(Wide<::u32, n> x)
{
    if constexpr (!Wide<::u32, n>::fits) return first_lane(x.low);
    else return x.v[0];
}
INLINE unsigned lane(U32 x, unsigned number)
{
    alignas(64) ::u32 words[16];
    store(words, x);
    return words[number];
}
INLINE unsigned least(U32 x, Bits m)
{
    const U32 y = choose_lanes(m, x, splat(0xffffffffu));
    alignas(64) ::u32 words[16];
    store(words, y);
    unsigned lowest = words[0];
    for (int k = 1; k < 16; k++) lowest = words[k] < lowest ? words[k] : lowest;
    return lowest;
}

template <int n>
INLINE Wide<::f32, n> square_root(Wide<::f32, n> x)
{
    if constexpr (!Wide<::f32, n>::fits) return {square_root(x.low), square_root(x.high)};
#if defined(LANES_AVX2)
    else return {__builtin_ia32_sqrtps256(x.v)};
#elif defined(LANES_SSE2)
    else return {__builtin_ia32_sqrtps(x.v)};
#else
    else { for (int k = 0; k < n; k++) x.v[k] = __builtin_sqrtf(x.v[k]); return x; }
#endif
}
template <int n>
INLINE Wide<::f64, n> square_root(Wide<::f64, n> x)
{
    if constexpr (!Wide<::f64, n>::fits) return {square_root(x.low), square_root(x.high)};
#if defined(LANES_AVX2)
    else return {__builtin_ia32_sqrtpd256(x.v)};
#elif defined(LANES_SSE2)
    else return {__builtin_ia32_sqrtpd(x.v)};
#else
    else { for (int k = 0; k < n; k++) x.v[k] = __builtin_sqrt(x.v[k]); return x; }
#endif
}
/* From `integral` on, numbers have no fraction; below, adding as much leaves no room for one. */
template <class Bits, class T>
INLINE Wide<T, 16> nearest(Wide<T, 16> x, T integral, Bits sign)
{
    const Wide<Bits, 16> signs = as<Bits>(x) & all<Bits, 16>(sign);
    const Wide<T, 16> size = as<T>(as<Bits>(x) ^ signs), large = as<T>(as<Bits>(all<T, 16>(integral)) | signs);
    return select(size < all<T, 16>(integral), (x + large) - large, x);
}
INLINE F32 round_nearest(F32 x) { return nearest<::u32>(x, 8388608.0f, 0x80000000u); }
INLINE F64 round_nearest(F64 x) { return nearest<::u64>(x, 4503599627370496.0, (::u64)0x8000000000000000ul); }
template <class T>
INLINE Wide<T, 16> round_up(Wide<T, 16> x)
{
    const Wide<T, 16> r = round_nearest(x);
    return select(r < x, r + all<T, 16>(1), r);
}
template <class T>
INLINE Wide<T, 16> round_down(Wide<T, 16> x)
{
    const Wide<T, 16> r = round_nearest(x);
    return select(r > x, r - all<T, 16>(1), r);
}
/* By the exponent of a float. That must not round up to the next power of two, so the second highest bit is
 * left out. */
INLINE U32 leading_zeros(U32 x)
{
    const F32 f = convert<::f32>(as<::i32>(x & ~(x >> splat(1u))));
    const U32 zeros = splat(158u) - (as<::u32>(f) >> splat(23u));
    return select(as<::i32>(x) < as<::i32>(splat(0u)), splat(0u), select(x == splat(0u), splat(32u), zeros));
}
/* The high words of products: of every other lane at a time. */
template <int n>
INLINE Wide<::u64, n> product(Wide<::u64, n> x, Wide<::u64, n> y)
{
#if defined(LANES_AVX2)
    typedef int Words __attribute__((vector_size(32)));
    return {(typename Wide<::u64, n>::Vector)__builtin_ia32_pmuludq256((Words)x.v, (Words)y.v)};
#elif defined(LANES_SSE2)
    typedef int Words __attribute__((vector_size(16)));
    return {(typename Wide<::u64, n>::Vector)__builtin_ia32_pmuludq128((Words)x.v, (Words)y.v)};
#else
    const Wide<::u64, n> word = all<::u64, n>(0xffffffffu);
    return (x & word) * (y & word);
#endif
}
template <int n>
INLINE Wide<::u32, n> high_product(Wide<::u32, n> x, Wide<::u32, n> y)
{
    if constexpr (!Wide<::u32, n>::fits) return {high_product(x.low, y.low), high_product(x.high, y.high)};
    else {
        typedef Wide<::u64, n / 2> Pairs;
        const Pairs a = {(typename Pairs::Vector)x.v}, b = {(typename Pairs::Vector)y.v}, word = all<::u64, n / 2>(32u);
        const Pairs high =
            (product(a, b) >> word) | (product(a >> word, b >> word) & all<::u64, n / 2>(0xffffffff00000000ul));
        return {(typename Wide<::u32, n>::Vector)high.v};
    }
}
/* -x is 2^32 - x there. */
INLINE U32 high_product(I32 x, I32 y)
{
    const U32 a = as<::u32>(x), b = as<::u32>(y), sign = splat(31u);
    return high_product(a, b) - (as<::u32>(x >> as<::i32>(sign)) & b) - (as<::u32>(y >> as<::i32>(sign)) & a);
}
INLINE F64 doubles(U32 x) { return convert<::f64>(as<::i32>(x ^ splat(0x80000000u))) + all<::f64, 16>(2147483648.0); }
INLINE U32 integers(F64 x)
{
    const F64 half = all<::f64, 16>(2147483648.0);
    const Mask<::f64, 16> large = x >= half;
    const U32 low = as<::u32>(convert<::i32>(select(large, x - half, x)));
    return low ^ (as<::u32>(convert<::i32>(large)) & splat(0x80000000u));
}
}
#endif
