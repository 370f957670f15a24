/* lanes_avx512.h: what AVX-512 has instructions of its own for. lanes_vectors.h has the same for other processors. */
#ifdef LANES_AVX512
/* g++ 12 warns of its own header. */
#pragma GCC diagnostic push
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#pragma GCC diagnostic ignored "-Wuninitialized"
#include <immintrin.h>
#pragma GCC diagnostic pop

namespace lanes {
/* A set of lanes. */
typedef __mmask16 Bits;
/* The answer of a comparison, a bit for each lane. */
struct K {
    Bits k;
};
INLINE K operator||(K a, K b) { return {(__mmask16)(a.k | b.k)}; }
INLINE K operator&&(K a, K b) { return {(__mmask16)(a.k & b.k)}; }
INLINE Bits bits(K a) { return a.k; }
INLINE U32 number(K a) { return {(U32::Vector)_mm512_maskz_set1_epi32(a.k, 1)}; }
INLINE __m512i raw(U32 x) { return (__m512i)x.v; }
INLINE __m512i raw(I32 x) { return (__m512i)x.v; }
INLINE U32 cooked(__m512i x) { return {(U32::Vector)x}; }
INLINE K equal(U32 a, U32 b) { return {_mm512_cmpeq_epu32_mask(raw(a), raw(b))}; }
INLINE K unequal(U32 a, U32 b) { return {_mm512_cmpneq_epu32_mask(raw(a), raw(b))}; }
INLINE K at_least(U32 a, U32 b) { return {_mm512_cmpge_epu32_mask(raw(a), raw(b))}; }
INLINE K less(U32 a, U32 b) { return {_mm512_cmplt_epu32_mask(raw(a), raw(b))}; }
INLINE K less(I32 a, I32 b) { return {_mm512_cmplt_epi32_mask(raw(a), raw(b))}; }
#define LANES_COMPARE(name, how) \
    INLINE K name(F32 a, F32 b) { return {_mm512_cmp_ps_mask((__m512)a.v, (__m512)b.v, how)}; } \
    INLINE K name(F64 a, F64 b) \
    { \
        return {(__mmask16)(_mm512_cmp_pd_mask((__m512d)a.low.v, (__m512d)b.low.v, how) | \
                            _mm512_cmp_pd_mask((__m512d)a.high.v, (__m512d)b.high.v, how) << 8)}; \
    }
LANES_COMPARE(equal, _CMP_EQ_OQ)
LANES_COMPARE(less, _CMP_LT_OQ)
LANES_COMPARE(at_most, _CMP_LE_OQ)
LANES_COMPARE(unordered, _CMP_UNORD_Q)

/* By a bit for each lane. */
#define ALL_LANES(m) (__builtin_constant_p(m) && (m) == 0xffffu)
INLINE U32 choose_lanes(Bits m, U32 yes, U32 no) {
    if (ALL_LANES(m)) return yes;
    return cooked(_mm512_mask_mov_epi32(raw(no), (__mmask16)m, raw(yes)));
}
INLINE U64 choose_lanes(Bits m, U64 yes, U64 no)
{
    if (ALL_LANES(m)) return yes;
    return {
        {(Wide<::u64, 8>::Vector)_mm512_mask_mov_epi64((__m512i)no.low.v, (__mmask8)m, (__m512i)yes.low.v)},
        {(Wide<::u64, 8>::Vector)_mm512_mask_mov_epi64((__m512i)no.high.v, (__mmask8)(m >> 8), (__m512i)yes.high.v)}};
}
INLINE void store_lanes(::u32 *to, U32 x, Bits m)
{
    if (ALL_LANES(m)) store(to, x);
    else _mm512_mask_store_epi32(to, (__mmask16)m, raw(x));
}
INLINE U32 gather(const ::u32 *from, U32 index, Bits m)
{
    return cooked(_mm512_mask_i32gather_epi32(_mm512_setzero_si512(), (__mmask16)m, raw(index), from, 4));
}
INLINE void scatter(::u32 *to, U32 index, U32 x, Bits m) {
    _mm512_mask_i32scatter_epi32(to, (__mmask16)m, raw(index), raw(x), 4);
}
INLINE unsigned first_lane(U32 x) { return (unsigned)_mm_cvtsi128_si32(_mm512_castsi512_si128(raw(x))); }
INLINE unsigned lane(U32 x, unsigned number)
{
    const __m512i at_front = _mm512_permutexvar_epi32(_mm512_set1_epi32((int)number), raw(x));
    return (unsigned)_mm_cvtsi128_si32(_mm512_castsi512_si128(at_front));
}
INLINE unsigned least(U32 x, Bits m) { return _mm512_mask_reduce_min_epu32((__mmask16)m, raw(x)); }

INLINE F32 square_root(F32 x) { return {(F32::Vector)_mm512_sqrt_ps((__m512)x.v)}; }
INLINE F64 square_root(F64 x)
{
    return {{(Wide<f64, 8>::Vector)_mm512_sqrt_pd((__m512d)x.low.v)},
            {(Wide<f64, 8>::Vector)_mm512_sqrt_pd((__m512d)x.high.v)}};
}
#define LANES_ROUND(name, how) \
    INLINE F32 name(F32 x) { return {(F32::Vector)_mm512_roundscale_ps((__m512)x.v, how | _MM_FROUND_NO_EXC)}; } \
    INLINE F64 name(F64 x) \
    { \
        return {{(Wide<f64, 8>::Vector)_mm512_roundscale_pd((__m512d)x.low.v, how | _MM_FROUND_NO_EXC)}, \
                {(Wide<f64, 8>::Vector)_mm512_roundscale_pd((__m512d)x.high.v, how | _MM_FROUND_NO_EXC)}}; \
    }
LANES_ROUND(round_nearest, _MM_FROUND_TO_NEAREST_INT)
LANES_ROUND(round_up, _MM_FROUND_TO_POS_INF)
LANES_ROUND(round_down, _MM_FROUND_TO_NEG_INF)
INLINE U32 leading_zeros(U32 x) { return cooked(_mm512_lzcnt_epi32(raw(x))); }
/* The high words of products: of every other lane at a time. */
INLINE U32 high_words(__m512i even, __m512i odd) {
    return cooked(_mm512_mask_mov_epi32(_mm512_srli_epi64(even, 32), 0xaaaa, odd));
}
INLINE U32 high_product(U32 x, U32 y)
{
    const __m512i even = _mm512_mul_epu32(raw(x), raw(y));
    return high_words(even, _mm512_mul_epu32(_mm512_srli_epi64(raw(x), 32), _mm512_srli_epi64(raw(y), 32)));
}
INLINE U32 high_product(I32 x, I32 y)
{
    const __m512i even = _mm512_mul_epi32(raw(x), raw(y));
    return high_words(even, _mm512_mul_epi32(_mm512_srli_epi64(raw(x), 32), _mm512_srli_epi64(raw(y), 32)));
}
INLINE F64 doubles(U32 x) { return convert<::f64>(x); }
INLINE U32 integers(F64 x) { return convert<::u32>(x); }
}
#endif
