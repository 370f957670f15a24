/* lanes_avx512.h: what AVX-512 has instructions of its own for. lanes_vectors.h has the same for other processors.
 * By the compiler's own names for them: <immintrin.h> takes g++ half a second, as long as a small program's code. */
#ifdef LANES_AVX512
namespace lanes {
/* A set of lanes. */
typedef unsigned short Bits;
/* The vectors of a register, as the compiler's functions take them. */
typedef int Words __attribute__((vector_size(64)));
typedef long long Pairs __attribute__((vector_size(64)));
typedef Wide<::f32, 16>::Vector Floats;
typedef Wide<::f64, 8>::Vector Doubles;
/* What g++ and clang name differently: a row each of `yes` where a bit is set and of `no` elsewhere, for words and
 * pairs of them; the word at an index; products of the words with even numbers; zeros before the first bit; roots. */
#ifdef __clang__
#define AVX512_BLEND(m, yes, no) __builtin_ia32_selectd_512(m, yes, no)
#define AVX512_BLEND_PAIRS(m, yes, no) __builtin_ia32_selectq_512(m, yes, no)
#define AVX512_PERMUTE(x, index) __builtin_ia32_permvarsi512(x, index)
#define AVX512_PRODUCT(x, y) __builtin_ia32_pmuldq512(x, y)
#define AVX512_PRODUCT_UNSIGNED(x, y) __builtin_ia32_pmuludq512(x, y)
#define AVX512_LEADING_ZEROS(x) __builtin_ia32_vplzcntd_512(x)
#define AVX512_ROOT(x) __builtin_ia32_sqrtps512(x, AVX512_AS_SET)
#define AVX512_ROOT_DOUBLE(x) __builtin_ia32_sqrtpd512(x, AVX512_AS_SET)
#else
#define AVX512_BLEND(m, yes, no) __builtin_ia32_movdqa32_512_mask(yes, no, m)
#define AVX512_BLEND_PAIRS(m, yes, no) __builtin_ia32_movdqa64_512_mask(yes, no, m)
#define AVX512_PERMUTE(x, index) __builtin_ia32_permvarsi512_mask(x, index, x, AVX512_ALL)
#define AVX512_PRODUCT(x, y) __builtin_ia32_pmuldq512_mask(x, y, (Pairs)(x), (unsigned char)AVX512_ALL)
#define AVX512_PRODUCT_UNSIGNED(x, y) __builtin_ia32_pmuludq512_mask(x, y, (Pairs)(x), (unsigned char)AVX512_ALL)
#define AVX512_LEADING_ZEROS(x) __builtin_ia32_vplzcntd_512_mask(x, x, AVX512_ALL)
#define AVX512_ROOT(x) __builtin_ia32_sqrtps512_mask(x, x, AVX512_ALL, AVX512_AS_SET)
#define AVX512_ROOT_DOUBLE(x) __builtin_ia32_sqrtpd512_mask(x, x, (unsigned char)AVX512_ALL, AVX512_AS_SET)
#endif
/* In place of a mask; and of a way to round: as the processor is set to. */
#define AVX512_ALL ((Bits)0xffffu)
#define AVX512_AS_SET 4

/* The answer of a comparison, a bit for each lane. */
struct K {
    Bits k;
};
INLINE K operator||(K a, K b) { return {(Bits)(a.k | b.k)}; }
INLINE K operator&&(K a, K b) { return {(Bits)(a.k & b.k)}; }
INLINE Bits bits(K a) { return a.k; }
INLINE Words raw(U32 x) { return (Words)x.v; }
INLINE Words raw(I32 x) { return (Words)x.v; }
INLINE U32 cooked(Words x) { return {(U32::Vector)x}; }
INLINE U32 number(K a) { return cooked(AVX512_BLEND(a.k, raw(splat(1u)), Words{})); }
/* `how`: the number that the instruction has for the comparison. */
#define LANES_COMPARE_WORDS(name, type, function, how) \
    INLINE K name(type a, type b) { return {(Bits)function(raw(a), raw(b), how, AVX512_ALL)}; }
LANES_COMPARE_WORDS(equal, U32, __builtin_ia32_ucmpd512_mask, 0)
LANES_COMPARE_WORDS(unequal, U32, __builtin_ia32_ucmpd512_mask, 4)
LANES_COMPARE_WORDS(at_least, U32, __builtin_ia32_ucmpd512_mask, 5)
LANES_COMPARE_WORDS(less, U32, __builtin_ia32_ucmpd512_mask, 1)
LANES_COMPARE_WORDS(less, I32, __builtin_ia32_cmpd512_mask, 1)
/* Those of NaNs raise nothing. */
#define LANES_COMPARE(name, how) \
    INLINE K name(F32 a, F32 b) \
    { \
        return {(Bits)__builtin_ia32_cmpps512_mask(a.v, b.v, how, AVX512_ALL, AVX512_AS_SET)}; \
    } \
    INLINE Bits name##_of_eight(Doubles a, Doubles b) \
    { \
        return (unsigned char)__builtin_ia32_cmppd512_mask(a, b, how, (unsigned char)AVX512_ALL, AVX512_AS_SET); \
    } \
    INLINE K name(F64 a, F64 b) \
    { \
        return {(Bits)(name##_of_eight(a.low.v, b.low.v) | name##_of_eight(a.high.v, b.high.v) << 8)}; \
    }
LANES_COMPARE(equal, 0x00)
LANES_COMPARE(less, 0x11)
LANES_COMPARE(at_most, 0x12)
LANES_COMPARE(unordered, 0x03)

/* By a bit for each lane. */
#define ALL_LANES(m) (__builtin_constant_p(m) && (m) == 0xffffu)
INLINE U32 choose_lanes(Bits m, U32 yes, U32 no) {
    if (ALL_LANES(m)) return yes;
    return cooked(AVX512_BLEND(m, raw(yes), raw(no)));
}
INLINE U64 choose_lanes(Bits m, U64 yes, U64 no)
{
    typedef Wide<::u64, 8>::Vector Eight;
    if (ALL_LANES(m)) return yes;
    return {{(Eight)AVX512_BLEND_PAIRS((unsigned char)m, (Pairs)yes.low.v, (Pairs)no.low.v)},
            {(Eight)AVX512_BLEND_PAIRS((unsigned char)(m >> 8), (Pairs)yes.high.v, (Pairs)no.high.v)}};
}
INLINE void store_lanes(::u32 *to, U32 x, Bits m)
{
    if (ALL_LANES(m)) store(to, x);
    else __builtin_ia32_movdqa32store512_mask((Words *)to, raw(x), m);
}
INLINE U32 gather(const ::u32 *from, U32 index, Bits m)
{
    return cooked(__builtin_ia32_gathersiv16si(Words{}, from, raw(index), m, 4));
}
INLINE void scatter(::u32 *to, U32 index, U32 x, Bits m) {
    __builtin_ia32_scattersiv16si(to, m, raw(index), raw(x), 4);
}
INLINE unsigned first_lane(U32 x) { return x.v[0]; }
INLINE unsigned lane(U32 x, unsigned number)
{
    return first_lane(cooked(AVX512_PERMUTE(raw(x), raw(splat(number)))));
}
template <int n>
INLINE unsigned least_of(Wide<::u32, n> x)
{
    if constexpr (n > 4) {
        const Wide<::u32, n / 2> a = low_half(x), b = high_half(x);
        return least_of<n / 2>({a.v < b.v ? a.v : b.v});
    } else {
        const typename Wide<::u32, 4>::Vector halves = __builtin_shufflevector(x.v, x.v, 2, 3, 0, 1);
        const auto two = x.v < halves ? x.v : halves, swapped = __builtin_shufflevector(two, two, 1, 0, 1, 0);
        return (two < swapped ? two : swapped)[0];
    }
}
INLINE unsigned least(U32 x, Bits m) { return least_of<16>(choose_lanes(m, x, splat(0xffffffffu))); }

INLINE F32 square_root(F32 x) { return {AVX512_ROOT(x.v)}; }
INLINE F64 square_root(F64 x) { return {{AVX512_ROOT_DOUBLE(x.low.v)}, {AVX512_ROOT_DOUBLE(x.high.v)}}; }
/* `how`: to which side, and that it is not told when something was rounded. */
#define LANES_ROUND(name, how) \
    INLINE F32 name(F32 x) \
    { \
        return {(Floats)__builtin_ia32_rndscaleps_mask(x.v, how, x.v, AVX512_ALL, AVX512_AS_SET)}; \
    } \
    INLINE Doubles name##_of_eight(Doubles x) \
    { \
        return (Doubles)__builtin_ia32_rndscalepd_mask(x, how, x, (unsigned char)AVX512_ALL, AVX512_AS_SET); \
    } \
    INLINE F64 name(F64 x) { return {{name##_of_eight(x.low.v)}, {name##_of_eight(x.high.v)}}; }
LANES_ROUND(round_nearest, 8)
LANES_ROUND(round_up, 10)
LANES_ROUND(round_down, 9)
INLINE U32 leading_zeros(U32 x) { return cooked(AVX512_LEADING_ZEROS(raw(x))); }
/* The high words of products: of every other lane at a time. */
INLINE Words every_other(Words x) { return (Words)((Wide<::u64, 8>::Vector)x >> 32); }
INLINE U32 high_words(Words even, Words odd) { return cooked(AVX512_BLEND((Bits)0xaaaau, odd, every_other(even))); }
INLINE U32 high_product(U32 x, U32 y)
{
    return high_words((Words)AVX512_PRODUCT_UNSIGNED(raw(x), raw(y)),
                      (Words)AVX512_PRODUCT_UNSIGNED(every_other(raw(x)), every_other(raw(y))));
}
INLINE U32 high_product(I32 x, I32 y)
{
    return high_words((Words)AVX512_PRODUCT(raw(x), raw(y)),
                      (Words)AVX512_PRODUCT(every_other(raw(x)), every_other(raw(y))));
}
INLINE F64 doubles(U32 x) { return convert<::f64>(x); }
INLINE U32 integers(F64 x) { return convert<::u32>(x); }
}
#endif
