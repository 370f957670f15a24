/* lanes.h: the vocabulary of compiled blocks for MOG_LANES PEs at once, one in each lane of AVX-512 registers.
 *
 * The types take the names that the bodies of isa.def and arithmetic.h use, in a namespace of their own, so their text is the
 * same. `m` is the set of lanes that execute; values of others may be anything until they are kept (SET).
 * Compile with -march=x86-64-v4. The interpreter beside it has MOG_LANES as MOG_WARP: lanes' words of DATA lie side by side, and
 * a row of the state is a register.
 */
/* g++ 12 warns of its own header. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#include <immintrin.h>
#pragma GCC diagnostic pop

namespace lanes {

/* The answer of a comparison, a bit for each lane. */
struct K {
    __mmask16 k;
};
static inline K operator||(K a, K b) { return {(__mmask16)(a.k | b.k)}; }
static inline K operator!=(K a, int) { return a; }

struct VI;
struct F;
struct VL;
struct V {
    __m512i v;
    V() = default;
    V(__m512i x) : v(x) {}
    V(unsigned x) : v(_mm512_set1_epi32((int)x)) {}
    V(int x) : v(_mm512_set1_epi32(x)) {}
    V(K k) : v(_mm512_maskz_set1_epi32(k.k, 1)) {}
    inline V(VI x);
    explicit inline V(VL x);
    V &operator+=(V b) { v = _mm512_add_epi32(v, b.v); return *this; }
    V &operator-=(V b) { v = _mm512_sub_epi32(v, b.v); return *this; }
    V &operator*=(V b) { v = _mm512_mullo_epi32(v, b.v); return *this; }
    V &operator&=(V b) { v = _mm512_and_si512(v, b.v); return *this; }
    V &operator|=(V b) { v = _mm512_or_si512(v, b.v); return *this; }
    V &operator^=(V b) { v = _mm512_xor_si512(v, b.v); return *this; }
    V &operator<<=(V b) { v = _mm512_sllv_epi32(v, b.v); return *this; }
    V &operator>>=(V b) { v = _mm512_srlv_epi32(v, b.v); return *this; }
};
static inline V operator+(V a, V b) { return a += b; }
static inline V operator-(V a, V b) { return a -= b; }
static inline V operator*(V a, V b) { return a *= b; }
static inline V operator&(V a, V b) { return a &= b; }
static inline V operator|(V a, V b) { return a |= b; }
static inline V operator^(V a, V b) { return a ^= b; }
static inline V operator<<(V a, V b) { return a <<= b; }
static inline V operator>>(V a, V b) { return a >>= b; }
static inline V operator~(V a) { return _mm512_ternarylogic_epi32(a.v, a.v, a.v, 0x55); }
static inline K operator==(V a, V b) { return {_mm512_cmpeq_epu32_mask(a.v, b.v)}; }
static inline K operator!=(V a, V b) { return {_mm512_cmpneq_epu32_mask(a.v, b.v)}; }
static inline K operator<(V a, V b) { return {_mm512_cmplt_epu32_mask(a.v, b.v)}; }
static inline K operator>(V a, V b) { return {_mm512_cmpgt_epu32_mask(a.v, b.v)}; }
static inline K operator>=(V a, V b) { return {_mm512_cmpge_epu32_mask(a.v, b.v)}; }

struct VI {
    __m512i v;
    VI(__m512i x) : v(x) {}
    VI(V x) : v(x.v) {}
    VI(unsigned x) : v(_mm512_set1_epi32((int)x)) {}
};
inline V::V(VI x) : v(x.v) {}
static inline K operator<(VI a, VI b) { return {_mm512_cmplt_epi32_mask(a.v, b.v)}; }
static inline VI operator>>(VI a, V b) { return _mm512_srav_epi32(a.v, b.v); }

/* 64 bits for each lane: lanes 0 to 7, lanes 8 to 15. */
struct VL {
    __m512i a, b;
    VL() = default;
    VL(__m512i x, __m512i y) : a(x), b(y) {}
    VL(unsigned long x) : a(_mm512_set1_epi64((long long)x)), b(a) {}
    explicit VL(V x) : a(_mm512_cvtepu32_epi64(_mm512_castsi512_si256(x.v))), b(_mm512_cvtepu32_epi64(_mm512_extracti64x4_epi64(x.v, 1))) {}
    VL &operator^=(VL y) { a = _mm512_xor_si512(a, y.a); b = _mm512_xor_si512(b, y.b); return *this; }
    VL &operator&=(VL y) { a = _mm512_and_si512(a, y.a); b = _mm512_and_si512(b, y.b); return *this; }
};
inline V::V(VL x) : v(_mm512_inserti64x4(_mm512_castsi256_si512(_mm512_cvtepi64_epi32(x.a)), _mm512_cvtepi64_epi32(x.b), 1)) {}
static inline VL operator|(VL x, VL y) { return {_mm512_or_si512(x.a, y.a), _mm512_or_si512(x.b, y.b)}; }
static inline VL operator&(VL x, VL y) { return x &= y; }
static inline VL operator<<(VL x, int n) { return {_mm512_slli_epi64(x.a, (unsigned)n), _mm512_slli_epi64(x.b, (unsigned)n)}; }
static inline VL operator>>(VL x, int n) { return {_mm512_srli_epi64(x.a, (unsigned)n), _mm512_srli_epi64(x.b, (unsigned)n)}; }
/* Products of numbers of 32 bits, which is all that mulhu and mulh ask for. */
static inline VL operator*(VL x, VL y) { return {_mm512_mul_epu32(x.a, y.a), _mm512_mul_epu32(x.b, y.b)}; }
static inline K operator>(VL x, VL y) { return {(__mmask16)(_mm512_cmpgt_epu64_mask(x.a, y.a) | _mm512_cmpgt_epu64_mask(x.b, y.b) << 8)}; }
struct VLI {
    __m512i a, b;
    explicit VLI(VI x) : a(_mm512_cvtepi32_epi64(_mm512_castsi512_si256(x.v))), b(_mm512_cvtepi32_epi64(_mm512_extracti64x4_epi64(x.v, 1))) {}
};
static inline VL operator*(VLI x, VLI y) { return {_mm512_mul_epi32(x.a, y.a), _mm512_mul_epi32(x.b, y.b)}; }

struct F {
    __m512 f;
    F(__m512 x) : f(x) {}
    explicit F(VI x) : f(_mm512_cvtepi32_ps(x.v)) {}
    explicit F(V x) : f(_mm512_cvtepu32_ps(x.v)) {}
};
static inline K operator==(F a, F b) { return {_mm512_cmp_ps_mask(a.f, b.f, _CMP_EQ_OQ)}; }
static inline K operator<(F a, F b) { return {_mm512_cmp_ps_mask(a.f, b.f, _CMP_LT_OQ)}; }
static inline K operator<=(F a, F b) { return {_mm512_cmp_ps_mask(a.f, b.f, _CMP_LE_OQ)}; }
struct G {
    __m512d a, b;
    G(__m512d x, __m512d y) : a(x), b(y) {}
    explicit G(VI x) : a(_mm512_cvtepi32_pd(_mm512_castsi512_si256(x.v))), b(_mm512_cvtepi32_pd(_mm512_extracti64x4_epi64(x.v, 1))) {}
};
template <int how>
static inline K compare(G x, G y) { return {(__mmask16)(_mm512_cmp_pd_mask(x.a, y.a, how) | _mm512_cmp_pd_mask(x.b, y.b, how) << 8)}; }
static inline K operator==(G x, G y) { return compare<_CMP_EQ_OQ>(x, y); }
static inline K operator<(G x, G y) { return compare<_CMP_LT_OQ>(x, y); }
static inline K operator<=(G x, G y) { return compare<_CMP_LE_OQ>(x, y); }

typedef V u32;
typedef VI i32;
typedef VL u64;
typedef VLI i64;
typedef F f32;
typedef G f64;

static inline F W2F(V w) { return _mm512_castsi512_ps(w.v); }
static inline V F2W(F f) { return _mm512_castps_si512(f.f); }
static inline G W2D(VL w) { return {_mm512_castsi512_pd(w.a), _mm512_castsi512_pd(w.b)}; }
static inline VL D2W(G d) { return {_mm512_castpd_si512(d.a), _mm512_castpd_si512(d.b)}; }

/* ---- arithmetic.h's functions, for lanes ---- */
static inline V or_nan(__m512 r) { return V(_mm512_mask_mov_epi32(_mm512_castps_si512(r), _mm512_cmp_ps_mask(r, r, _CMP_UNORD_Q), _mm512_set1_epi32((int)MOG_NANF))); }
static inline __m512i or_nan(__m512d r) { return _mm512_mask_mov_epi64(_mm512_castpd_si512(r), _mm512_cmp_pd_mask(r, r, _CMP_UNORD_Q), _mm512_set1_epi64((long long)MOG_NAND)); }
static inline V mog_default_nanf(V a) { return or_nan(W2F(a).f); }
static inline VL mog_default_nand(VL x) { G d = W2D(x); return {or_nan(d.a), or_nan(d.b)}; }
#define LANES_F(name, op) static inline V mog_any_nan_##name(V a, V b) { return F2W(op(W2F(a).f, W2F(b).f)); } \
    static inline V mog_##name(V a, V b) { return mog_default_nanf(mog_any_nan_##name(a, b)); }
LANES_F(addf, _mm512_add_ps)
LANES_F(subf, _mm512_sub_ps)
LANES_F(mulf, _mm512_mul_ps)
LANES_F(divf, _mm512_div_ps)
static inline V mog_any_nan_sqrtf(V a) { return F2W(_mm512_sqrt_ps(W2F(a).f)); }
static inline V mog_sqrtf(V a) { return mog_default_nanf(mog_any_nan_sqrtf(a)); }
#define LANES_D(name, op) static inline VL mog_any_nan_##name(VL x, VL y) { G p = W2D(x), q = W2D(y); return D2W({op(p.a, q.a), op(p.b, q.b)}); } \
    static inline VL mog_##name(VL x, VL y) { return mog_default_nand(mog_any_nan_##name(x, y)); }
LANES_D(addd, _mm512_add_pd)
LANES_D(subd, _mm512_sub_pd)
LANES_D(muld, _mm512_mul_pd)
LANES_D(divd, _mm512_div_pd)
static inline VL mog_any_nan_sqrtd(VL x) { G p = W2D(x); return D2W({_mm512_sqrt_pd(p.a), _mm512_sqrt_pd(p.b)}); }
static inline VL mog_sqrtd(VL x) { return mog_default_nand(mog_any_nan_sqrtd(x)); }
/* The processor's answer for what does not fit is 0x80000000, which is right for just one number. */
static inline V mog_f2i(V a)
{
    __m512 f = W2F(a).f;
    __mmask16 fits = _mm512_cmp_ps_mask(f, _mm512_set1_ps(-2147483648.0f), _CMP_GE_OQ) & _mm512_cmp_ps_mask(f, _mm512_set1_ps(2147483648.0f), _CMP_LT_OQ);
    return V(_mm512_mask_mov_epi32(_mm512_set1_epi32(0x7fffffff), fits, _mm512_cvttps_epi32(f)));
}
static inline __m256i d2i_half(__m512d d)
{
    __mmask8 fits = _mm512_cmp_pd_mask(d, _mm512_set1_pd(-2147483649.0), _CMP_GT_OQ) & _mm512_cmp_pd_mask(d, _mm512_set1_pd(2147483648.0), _CMP_LT_OQ);
    return _mm256_mask_mov_epi32(_mm256_set1_epi32(0x7fffffff), fits, _mm512_cvttpd_epi32(d));
}
static inline V join(__m256i low, __m256i high) { return V(_mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1)); }
static inline V mog_d2i(VL x) { G d = W2D(x); return join(d2i_half(d.a), d2i_half(d.b)); }
#define LANES_ROUND(name, how) \
    static inline F name(F x) { return _mm512_roundscale_ps(x.f, how | _MM_FROUND_NO_EXC); } \
    static inline G name(G x) { return {_mm512_roundscale_pd(x.a, how | _MM_FROUND_NO_EXC), _mm512_roundscale_pd(x.b, how | _MM_FROUND_NO_EXC)}; }
LANES_ROUND(round_nearest, _MM_FROUND_TO_NEAREST_INT)
LANES_ROUND(round_up, _MM_FROUND_TO_POS_INF)
LANES_ROUND(round_down, _MM_FROUND_TO_NEG_INF)
static inline K unordered(F a, F b) { return {_mm512_cmp_ps_mask(a.f, b.f, _CMP_UNORD_Q)}; }
static inline K unordered(G a, G b) { return compare<_CMP_UNORD_Q>(a, b); }
#undef UNORDEREDF
#undef UNORDEREDD
#define UNORDEREDF(a, b) unordered(W2F(a), W2F(b))
#define UNORDEREDD(a, b) unordered(W2D(a), W2D(b))
#undef RINTF
#undef CEILF
#undef FLOORF
#undef RINTD
#undef CEILD
#undef FLOORD
#define RINTF(x) round_nearest(x)
#define CEILF(x) round_up(x)
#define FLOORF(x) round_down(x)
#define RINTD(x) round_nearest(x)
#define CEILD(x) round_up(x)
#define FLOORD(x) round_down(x)
static inline VL mog_f2d(V a)
{
    G d(_mm512_cvtps_pd(_mm256_castsi256_ps(_mm512_castsi512_si256(a.v))), _mm512_cvtps_pd(_mm256_castsi256_ps(_mm512_extracti64x4_epi64(a.v, 1))));
    return {or_nan(d.a), or_nan(d.b)};
}
static inline V mog_d2f(VL x)
{
    G d = W2D(x);
    V r = join(_mm256_castps_si256(_mm512_cvtpd_ps(d.a)), _mm256_castps_si256(_mm512_cvtpd_ps(d.b)));
    return or_nan(_mm512_castsi512_ps(r.v));
}
/* Integers of 32 bits are exact as doubles, and so is the integer part of their quotient. */
static inline __m256i divu_half(__m256i a, __m256i b)
{
    return _mm512_cvttpd_epu32(_mm512_div_pd(_mm512_cvtepu32_pd(a), _mm512_cvtepu32_pd(b)));
}
static inline __m256i div_half(__m256i a, __m256i b)
{
    return _mm512_cvttpd_epi32(_mm512_div_pd(_mm512_cvtepi32_pd(a), _mm512_cvtepi32_pd(b)));
}
static inline V mog_divu(V a, V b)
{
    V q = join(divu_half(_mm512_castsi512_si256(a.v), _mm512_castsi512_si256(b.v)),
               divu_half(_mm512_extracti64x4_epi64(a.v, 1), _mm512_extracti64x4_epi64(b.v, 1)));
    return V(_mm512_mask_mov_epi32(q.v, (b == V(0u)).k, a.v));
}
/* -2^31 / -1 is 2^31, which becomes -2^31: what MIPS leaves open and we define so. */
static inline V mog_div(V a, V b)
{
    V q = join(div_half(_mm512_castsi512_si256(a.v), _mm512_castsi512_si256(b.v)),
               div_half(_mm512_extracti64x4_epi64(a.v, 1), _mm512_extracti64x4_epi64(b.v, 1)));
    return V(_mm512_mask_mov_epi32(q.v, (b == V(0u)).k, a.v));
}
static inline V mog_remu(V a, V b) { return V(_mm512_maskz_sub_epi32((b != V(0u)).k, a.v, (mog_divu(a, b) * b).v)); }
static inline V mog_rem(V a, V b) { return V(_mm512_maskz_sub_epi32((b != V(0u)).k, a.v, (mog_div(a, b) * b).v)); }
#undef CLZ
static inline V CLZ(V x) { return V(_mm512_lzcnt_epi32(x.v)); }

/* Doubles from their words, and back. */
template <int odd>
static inline V words(VL x)
{
    return V(_mm512_permutex2var_epi32(x.a, _mm512_add_epi32(_mm512_set1_epi32(odd), _mm512_set_epi32(30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0)), x.b));
}
static inline VL doubles_of(V low, V high)
{
    const __m512i lower = _mm512_set_epi32(23, 7, 22, 6, 21, 5, 20, 4, 19, 3, 18, 2, 17, 1, 16, 0);
    return {_mm512_permutex2var_epi32(low.v, lower, high.v), _mm512_permutex2var_epi32(low.v, _mm512_add_epi32(lower, _mm512_set1_epi32(8)), high.v)};
}

/* ---- keeping values: only lanes that execute ---- */
static inline void keep(V &to, V value, __mmask16 m) { to.v = _mm512_mask_mov_epi32(to.v, m, value.v); }
static inline void keep(VL &to, VL value, __mmask16 m)
{
    to.a = _mm512_mask_mov_epi64(to.a, (__mmask8)m, value.a);
    to.b = _mm512_mask_mov_epi64(to.b, (__mmask8)(m >> 8), value.b);
}

/* ---- memory: word `e` of each lane's DATA ---- */
/* True if the lanes in m have the same value, which is then `value`. */
static inline bool same(V x, __mmask16 m, unsigned &value)
{
    V first(_mm512_permutexvar_epi32(_mm512_set1_epi32(__builtin_ctz(m)), x.v));
    value = (unsigned)_mm_cvtsi128_si32(_mm512_castsi512_si128(first.v));
    return _mm512_mask_cmpneq_epu32_mask(m, x.v, first.v) == 0;
}
static inline V place(V e) { return (e << V(4u)) + V(_mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)); }
static inline V load_word(const ::u32 *mem, V e, __mmask16 m)
{
    unsigned at;
    if (__builtin_expect(same(e, m, at), 1)) return V(_mm512_maskz_loadu_epi32(m, mem + (size_t)at * MOG_LANES));
    return V(_mm512_mask_i32gather_epi32(_mm512_setzero_si512(), m, place(e).v, mem, 4));
}
static inline void store_word(::u32 *mem, V e, V value, __mmask16 m)
{
    unsigned at;
    if (__builtin_expect(same(e, m, at), 1)) _mm512_mask_storeu_epi32(mem + (size_t)at * MOG_LANES, m, value.v);
    else _mm512_mask_i32scatter_epi32(mem, m, place(e).v, value.v, 4);
}
/* The bits of `mask` in the word of byte o are replaced. */
static inline void store_part(::u32 *mem, V o, V value, unsigned bits, __mmask16 m)
{
    V shift = (o & V(3u)) << V(3u), mask = V(bits) << shift, word = load_word(mem, o >> V(2u), m);
    store_word(mem, o >> V(2u), (word & ~mask) | ((value << shift) & mask), m);
}
static inline __mmask16 outside(V e, unsigned limit, __mmask16 m) { return _mm512_mask_cmpge_epu32_mask(m, e.v, _mm512_set1_epi32((int)limit)); }
static inline V rotate(V x, unsigned n) { return V(_mm512_rorv_epi32(x.v, _mm512_set1_epi32((int)n))); }

/* Where the lanes stand, and what they may still execute. */
struct Warp {
    alignas(64) ::u32 pcs[MOG_LANES];
    __mmask16 running;
    int nans;                  /* as in MogBlocks */
    int passes;                /* instructions, of the lanes together; none are left where it is not positive */
    unsigned long executed;    /* instructions, by all lanes */
};
/* The lanes to go on with: those that stand at the lowest place, that the others come to it. `wait`: the lowest place
 * of the others, where these join them. */
static inline __mmask16 choose(const Warp *w, ::u32 &pc, ::u32 &wait)
{
    __m512i pcs = _mm512_load_si512(w->pcs);
    __mmask16 m;
    pc = _mm512_mask_reduce_min_epu32(w->running, pcs);
    m = _mm512_mask_cmpeq_epu32_mask(w->running, pcs, _mm512_set1_epi32((int)pc));
    wait = m == w->running ? 0xffffffffu : _mm512_mask_reduce_min_epu32((__mmask16)(w->running & ~m), pcs);
    return m;
}
static inline void stand(Warp *w, __mmask16 m, ::u32 pc) { _mm512_mask_store_epi32(w->pcs, m, _mm512_set1_epi32((int)pc)); }
}

/* ---- the words of blocks.c and vocabulary.h ---- */
#undef REG
#undef SET_STACK
#undef TRAP
#undef LOAD8
#undef LOADS8
#undef LOAD16
#undef LOADS16
#undef LOAD32
#undef LOAD64
#undef STORE8
#undef STORE16
#undef STORE32
#undef STORE64
#undef LOADL
#undef LOADR
#undef LOADU
#undef STOREL
#undef STORER
#undef STOREU
#define LOW(p) words<0>(p)
#define HIGH(p) words<1>(p)
#define TWO(low, high) doubles_of(low, high)
#define ROW(n) (*(__m512i *)(rows + (size_t)(n) * stride))
#define REG(n) V(ROW(MOG_S_REGS + (n)))
#define SET_REG(n, value) ROW(MOG_S_REGS + (n)) = V(value).v;
#define GROUP_STATE V acc_kept(ROW(MOG_S_ACC)), acc; VL dacc_kept = TWO(V(ROW(MOG_S_DLO)), V(ROW(MOG_S_DHI))), dacc; \
    __mmask16 m; int passes = s->passes, before = passes; enum { nans_ = 0 }; ::u32 pc, wait; (void)mem; (void)data_bytes; (void)code_map; (void)acc; (void)dacc;
#define GROUP_DONE s->executed += (unsigned long)(before - passes) * (unsigned)__builtin_popcount(m); \
    s->passes = passes; ROW(MOG_S_ACC) = acc_kept.v; ROW(MOG_S_DLO) = LOW(dacc_kept).v; ROW(MOG_S_DHI) = HIGH(dacc_kept).v;
/* Whose turn it is, and is it here? */
#define SELECT(number) m = 0;                                                                              \
    select:                                                                                                \
    s->executed += (unsigned long)(before - passes) * (unsigned)__builtin_popcount(m); before = passes;    \
    m = choose(s, pc, wait);                                                                               \
    if (entry_of[pc] >> 16 != number) { m = 0; goto leave; }                                               \
    switch (entry_of[pc] & 0xffffu)

#define SET(to, v) keep(to, v, m);
#define SET_LOW(p, v) keep(p, ((p) & VL(0xffffffff00000000ul)) | (u64)(v), m);
#define SET_HIGH(p, v) keep(p, ((p) & VL(0xfffffffful)) | ((u64)(v) << 32), m);
/* As in blocks.c. */
#define DEFAULT_NANF(x) SET(x, mog_default_nanf(x))
#define DEFAULT_NAND(x) SET(x, mog_default_nand(x))
#define ACC_LEFT acc_kept
#define D_LEFT dacc_kept
#define KEEP { keep(acc_kept, acc, m); if (uses_d) keep(dacc_kept, dacc, m); }

#define ENTER(at, n) if (__builtin_expect((at) >= wait, 0)) { stand(s, m, at); goto select; }               \
    if (__builtin_expect(passes <= 0, 0)) { stand(s, m, at); goto leave; }                                  \
    passes -= (int)(n); acc = acc_kept; if (uses_d) dacc = dacc_kept;
#define GO(to) { KEEP goto b##to; }
#define LEAVE(to) { KEEP stand(s, m, to##u); goto select; }
#define BRANCH(condition, to, otherwise) { __mmask16 t_ = (condition).k & m; KEEP if (t_ == m) goto b##to; DIVERGE(to, otherwise) }
#define BRANCH_OUT(condition, to, otherwise) { __mmask16 t_ = (condition).k & m; KEEP                      \
    if (t_ == m) { stand(s, m, to##u); goto select; } DIVERGE(to, otherwise) }
#define DIVERGE(to, otherwise) if (t_ != 0) { stand(s, t_, to##u); stand(s, (__mmask16)(m & ~t_), otherwise##u); goto select; }
#define IF_ANY(condition) if (((condition).k & m) != 0)

/* What would stop a lane is done by the interpreter, for all of them. */
#define TRAP(cause, why) { KEEP passes += left_; s->nans = nans_; stand(s, m, at_); goto cold; }
#define STOP_IF(lanes) if (__builtin_expect((lanes) != 0, 0)) TRAP(0, 0)
#define JUMP_TO(a, where) { V a_ = (a), w_ = (a_ - V(MOG_CODE_BASE)) >> V(2u), t_; unsigned one_;           \
    STOP_IF(m & (((a_ & V(3u)) != V(0u)).k | (w_ >= V(MOG_CODE_WORDS)).k))                                \
    if (same(w_, m, one_)) t_ = V(code_map[one_]);                                                         \
    else t_ = V(_mm512_mask_i32gather_epi32(_mm512_setzero_si512(), m, w_.v, code_map, 4));                \
    STOP_IF(m & (t_ == V(MOG_NO_CODE)).k)                                                                  \
    KEEP _mm512_mask_store_epi32(s->pcs, m, t_.v); goto select; }
#define SET_STACK(to, a) { V a_ = (a), brk_(_mm512_maskz_loadu_epi32(m, mem + MOG_CB_BRK * MOG_LANES));      \
    STOP_IF(m & ((a_ < brk_).k | (a_ - V(MOG_DATA_BASE) > V(data_bytes)).k)) SET(to, a_) }

/* As in vocabulary.h, with the number e_ of the element. */
#ifdef MOG_UNCHECKED
#define ACCESS_LANES(a, s, action) { V o_ = (a) - V(MOG_DATA_BASE); V e_ = o_ >> V(s); action }
#else
#define ACCESS_LANES(a, s, action) { V o_ = (a) - V(MOG_DATA_BASE); V e_ = rotate(o_, s); STOP_IF(outside(e_, data_bytes >> (s), m)) action }
#endif
#define BYTE_OF(o) ((load_word(mem, (o) >> V(2u), m) >> (((o) & V(3u)) << V(3u))) & V(0xffu))
#define HALF_OF(e) ((load_word(mem, (e) >> V(1u), m) >> (((e) & V(1u)) << V(4u))) & V(0xffffu))
#define LOAD8(dst, a)   ACCESS_LANES(a, 0u, dst = BYTE_OF(o_);)
#define LOADS8(dst, a)  ACCESS_LANES(a, 0u, dst = SEXT8(BYTE_OF(o_));)
#define LOAD16(dst, a)  ACCESS_LANES(a, 1u, dst = HALF_OF(e_);)
#define LOADS16(dst, a) ACCESS_LANES(a, 1u, dst = SEXT16(HALF_OF(e_));)
#define LOAD32(dst, a)  ACCESS_LANES(a, 2u, dst = load_word(mem, e_, m);)
#define LOAD64(dst, a)  ACCESS_LANES(a, 3u, V w_ = e_ << V(1u); dst = TWO(load_word(mem, w_, m), load_word(mem, w_ + V(1u), m));)
#define STORE8(a, v)    ACCESS_LANES(a, 0u, store_part(mem, o_, v, 0xffu, m);)
#define STORE16(a, v)   ACCESS_LANES(a, 1u, store_part(mem, o_, v, 0xffffu, m);)
#define STORE32(a, v)   ACCESS_LANES(a, 2u, store_word(mem, e_, v, m);)
#define STORE64(a, v)   ACCESS_LANES(a, 3u, V w_ = e_ << V(1u); u64 v_ = (v); store_word(mem, w_, LOW(v_), m); store_word(mem, w_ + V(1u), HIGH(v_), m);)
/* The unaligned ones. A shift by 32 gives 0 here, so lanes whose word is aligned need no second way. */
#ifdef MOG_UNCHECKED
#define STOP_IF_BAD_WORD(o)
#else
#define STOP_IF_BAD_WORD(o) STOP_IF(m & ((o) > V(data_bytes - 4u)).k)
#endif
#define FROM_RIGHT(o) (((o) & V(3u)) << V(3u))
#define BELOW(s) ((V(1u) << (s)) - V(1u))
#define LOADL(dst, a, old) ACCESS_LANES(a, 0u, V s_ = V(24u) - FROM_RIGHT(o_); V old_ = (old); \
    dst = (load_word(mem, o_ >> V(2u), m) << s_) | (old_ & BELOW(s_));)
#define LOADR(dst, a, old) ACCESS_LANES(a, 0u, V s_ = FROM_RIGHT(o_); V old_ = (old); \
    dst = (load_word(mem, o_ >> V(2u), m) >> s_) | (old_ & ~(V(0xffffffffu) >> s_));)
#define STOREL(a, v) ACCESS_LANES(a, 0u, V s_ = V(24u) - FROM_RIGHT(o_); V w_ = load_word(mem, o_ >> V(2u), m); \
    store_word(mem, o_ >> V(2u), ((v) >> s_) | (w_ & ~(V(0xffffffffu) >> s_)), m);)
#define STORER(a, v) ACCESS_LANES(a, 0u, V s_ = FROM_RIGHT(o_); V w_ = load_word(mem, o_ >> V(2u), m); \
    store_word(mem, o_ >> V(2u), ((v) << s_) | (w_ & BELOW(s_)), m);)
#define LOADU(dst, a) { V o_ = (a) - V(MOG_DATA_BASE); STOP_IF_BAD_WORD(o_) V s_ = FROM_RIGHT(o_), w_ = load_word(mem, o_ >> V(2u), m) >> s_; \
    __mmask16 two_ = m & (s_ != V(0u)).k; if (two_) w_ |= load_word(mem, (o_ >> V(2u)) + V(1u), two_) << (V(32u) - s_); dst = w_; }
#define STOREU(a, v) { V o_ = (a) - V(MOG_DATA_BASE), v_ = (v); STOP_IF_BAD_WORD(o_) V s_ = FROM_RIGHT(o_), at_word_ = o_ >> V(2u); \
    store_word(mem, at_word_, (v_ << s_) | (load_word(mem, at_word_, m) & BELOW(s_)), m); \
    __mmask16 two_ = m & (s_ != V(0u)).k; \
    if (two_) { V next_ = at_word_ + V(1u); \
        store_word(mem, next_, (v_ >> (V(32u) - s_)) | (load_word(mem, next_, two_) & ~BELOW(s_)), two_); } }
