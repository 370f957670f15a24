/* lanes.h: the vocabulary of compiled blocks for MOG_LANES PEs at once, one in each lane of vectors.
 *
 * The types take the names that the bodies of isa.def and arithmetic.h use, in a namespace of their own, so their text is the
 * same. `m` is the set of lanes that execute, a bit for each. What others compute with them is dropped: with AVX-512 when a
 * register is set (SET), elsewhere when another set has its turn (PARTED).
 * Compile with -march=x86-64-v4 for AVX-512 (lanes_avx512.h), or for any other processor (lanes_vectors.h). The interpreter beside it
 * has MOG_LANES as MOG_WARP: lanes' words of DATA lie side by side, and a row of the state is a U32.
 */
namespace lanes {

FUNCTION K operator!=(K a, int) { return a; }

struct VI;
struct F;
struct VL;
struct V {
    U32 v;
    V() = default;
    V(U32 x) : v(x) {}
    V(unsigned x) : v(splat(x)) {}
    V(int x) : v(splat((unsigned)x)) {}
    V(K k) : v(number(k)) {}
    inline V(VI x);
    explicit inline V(VL x);
    V &operator+=(V b) { v = v + b.v; return *this; }
    V &operator-=(V b) { v = v - b.v; return *this; }
    V &operator*=(V b) { v = v * b.v; return *this; }
    V &operator&=(V b) { v = v & b.v; return *this; }
    V &operator|=(V b) { v = v | b.v; return *this; }
    V &operator^=(V b) { v = v ^ b.v; return *this; }
    V &operator<<=(V b) { v = v << b.v; return *this; }    /* by less than 32, here and below */
    V &operator>>=(V b) { v = v >> b.v; return *this; }
};
FUNCTION V operator+(V a, V b) { return a += b; }
FUNCTION V operator-(V a, V b) { return a -= b; }
FUNCTION V operator*(V a, V b) { return a *= b; }
FUNCTION V operator&(V a, V b) { return a &= b; }
FUNCTION V operator|(V a, V b) { return a |= b; }
FUNCTION V operator^(V a, V b) { return a ^= b; }
FUNCTION V operator<<(V a, V b) { return a <<= b; }
FUNCTION V operator>>(V a, V b) { return a >>= b; }
FUNCTION V operator~(V a) { return ~a.v; }
FUNCTION K operator==(V a, V b) { return equal(a.v, b.v); }
FUNCTION K operator!=(V a, V b) { return unequal(a.v, b.v); }
FUNCTION K operator<(V a, V b) { return less(a.v, b.v); }
FUNCTION K operator>(V a, V b) { return less(b.v, a.v); }
FUNCTION K operator>=(V a, V b) { return at_least(a.v, b.v); }

struct VI {
    I32 v;
    VI(I32 x) : v(x) {}
    VI(V x) : v(as<::i32>(x.v)) {}
    VI(unsigned x) : v(as<::i32>(splat(x))) {}
};
inline V::V(VI x) : v(as<::u32>(x.v)) {}
FUNCTION K operator<(VI a, VI b) { return less(a.v, b.v); }
FUNCTION VI operator>>(VI a, V b) { return a.v >> as<::i32>(b.v); }

/* 64 bits for each lane. */
struct VL {
    U64 v;
    VL() = default;
    VL(U64 x) : v(x) {}
    VL(unsigned long x) : v(all<::u64, 16>(x)) {}
    explicit VL(V x) : v(convert<::u64>(x.v)) {}
    VL &operator^=(VL y) { v = v ^ y.v; return *this; }
    VL &operator&=(VL y) { v = v & y.v; return *this; }
};
inline V::V(VL x) : v(words_of<0>(x.v)) {}
FUNCTION VL operator|(VL x, VL y) { return x.v | y.v; }
FUNCTION VL operator&(VL x, VL y) { return x &= y; }
FUNCTION VL operator<<(VL x, int n) { return x.v << all<::u64, 16>((unsigned)n); }

struct F {
    F32 v;
    F(F32 x) : v(x) {}
    explicit F(VI x) : v(convert<::f32>(x.v)) {}
    explicit F(V x) : v(convert<::f32>(x.v)) {}
};
FUNCTION K operator==(F a, F b) { return equal(a.v, b.v); }
FUNCTION K operator<(F a, F b) { return less(a.v, b.v); }
FUNCTION K operator<=(F a, F b) { return at_most(a.v, b.v); }
struct G {
    F64 v;
    G(F64 x) : v(x) {}
    explicit G(VI x) : v(convert<::f64>(x.v)) {}
};
FUNCTION K operator==(G a, G b) { return equal(a.v, b.v); }
FUNCTION K operator<(G a, G b) { return less(a.v, b.v); }
FUNCTION K operator<=(G a, G b) { return at_most(a.v, b.v); }

typedef V u32;
typedef VI i32;
typedef VL u64;
typedef F f32;
typedef G f64;

FUNCTION F W2F(V w) { return as<::f32>(w.v); }
FUNCTION V F2W(F f) { return as<::u32>(f.v); }
FUNCTION G W2D(VL w) { return as<::f64>(w.v); }
FUNCTION VL D2W(G d) { return as<::u64>(d.v); }

/* ---- arithmetic.h's functions, for lanes ---- */
FUNCTION V or_nan(F32 r) { return select(r == r, as<::u32>(r), splat(MOG_NANF)); }
FUNCTION VL or_nan(F64 r) { return select(r == r, as<::u64>(r), all<::u64, 16>(MOG_NAND)); }
FUNCTION V mog_default_nanf(V a) { return or_nan(W2F(a).v); }
FUNCTION VL mog_default_nand(VL x) { return or_nan(W2D(x).v); }
#define LANES_ARITHMETIC(name, op)                                                                  \
    FUNCTION V mog_any_nan_##name##f(V a, V b) { return F2W(W2F(a).v op W2F(b).v); }           \
    FUNCTION V mog_##name##f(V a, V b) { return or_nan(W2F(a).v op W2F(b).v); }                \
    FUNCTION VL mog_any_nan_##name##d(VL a, VL b) { return D2W(W2D(a).v op W2D(b).v); }        \
    FUNCTION VL mog_##name##d(VL a, VL b) { return or_nan(W2D(a).v op W2D(b).v); }
LANES_ARITHMETIC(add, +)
LANES_ARITHMETIC(sub, -)
LANES_ARITHMETIC(mul, *)
LANES_ARITHMETIC(div, /)
FUNCTION V mog_any_nan_sqrtf(V a) { return F2W(square_root(W2F(a).v)); }
FUNCTION V mog_sqrtf(V a) { return or_nan(square_root(W2F(a).v)); }
FUNCTION VL mog_any_nan_sqrtd(VL x) { return D2W(square_root(W2D(x).v)); }
FUNCTION VL mog_sqrtd(VL x) { return or_nan(square_root(W2D(x).v)); }
/* What does not fit is decided before: processors' answers for it differ. */
template <class T>
FUNCTION V to_integer(Wide<T, 16> x, bool below, T lowest)
{
    const U32 most = splat(0x7fffffffu), whole = as<::u32>(convert<::i32>(x));
    const auto large = convert<::i32>(x < all<T, 16>(2147483648.0f));
    const auto small = convert<::i32>(below ? x > all<T, 16>(lowest) : x >= all<T, 16>(lowest));
    return select(large & small, whole, most);
}
FUNCTION V mog_f2i(V a) { return to_integer<::f32>(W2F(a).v, false, -2147483648.0f); }
FUNCTION V mog_d2i(VL x) { return to_integer<::f64>(W2D(x).v, true, -2147483649.0); }
FUNCTION K unordered(F a, F b) { return unordered(a.v, b.v); }
FUNCTION K unordered(G a, G b) { return unordered(a.v, b.v); }
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
#define RINTF(x) F(round_nearest((x).v))
#define CEILF(x) F(round_up((x).v))
#define FLOORF(x) F(round_down((x).v))
#define RINTD(x) G(round_nearest((x).v))
#define CEILD(x) G(round_up((x).v))
#define FLOORD(x) G(round_down((x).v))
FUNCTION VL mog_f2d(V a) { return or_nan(convert<::f64>(W2F(a).v)); }
FUNCTION V mog_d2f(VL x) { return or_nan(convert<::f32>(W2D(x).v)); }
FUNCTION V mog_mulhu(V a, V b) { return high_product(a.v, b.v); }
FUNCTION V mog_mulh(V a, V b) { return high_product(VI(a).v, VI(b).v); }
/* Integers of 32 bits are exact as doubles, and so is the integer part of their quotient. */
FUNCTION V mog_divu(V a, V b) { return select(b.v == splat(0u), a.v, integers(doubles(a.v) / doubles(b.v))); }
/* -2^31 / -1 is 2^31, which becomes -2^31: what MIPS leaves open and we define so. */
FUNCTION V mog_div(V a, V b)
{
    const F64 q = convert<::f64>(VI(a).v) / convert<::f64>(VI(b).v);
    return select(b.v == splat(0u), a.v, as<::u32>(convert<::i32>(q)));
}
FUNCTION V mog_remu(V a, V b) { return select(b.v == splat(0u), splat(0u), (a - mog_divu(a, b) * b).v); }
FUNCTION V mog_rem(V a, V b) { return select(b.v == splat(0u), splat(0u), (a - mog_div(a, b) * b).v); }
#undef CLZ
FUNCTION V CLZ(V x) { return leading_zeros(x.v); }

/* Only in lanes that execute; what `to` is then. */
INLINE V keep(V &to, V value, Bits m) { return to = choose_lanes(m, value.v, to.v); }
INLINE VL keep(VL &to, VL value, Bits m) { return to = choose_lanes(m, value.v, to.v); }

/* ---- memory ---- */
/* True if the lanes in m have the same value, which is then `value`. */
INLINE bool same(V x, Bits m, unsigned &value)
{
    value = lane(x.v, (unsigned)__builtin_ctz(m));
    return (bits(equal(x.v, splat(value))) & m) == m;
}
/* Where lanes access their DATA, by bytes from its beginning: `each`; or all of them at `one`, if they are `together`, as most programs'
 * lanes are. Three parameters, since a structure of them would be in memory. `together` is a constant where this is used. */
#define PLACE each_, one_, together_
#define FURTHER(bytes) each_ + V(bytes), one_ + (bytes), together_
INLINE V rotate(V x, unsigned n) { return n == 0u ? x : (x >> V(n)) | (x << V(32u - n)); }
/* The lanes whose access of 2^s bytes is bad, as in vocabulary.h; or of a word at any alignment. */
INLINE Bits bad(V each, unsigned one, bool together, unsigned s, unsigned limit, Bits m)
{
    if (together) return (s == 0u ? one : one >> s | one << (32u - s)) >= limit >> s;
    return bits(rotate(each, s) >= V(limit >> s)) & m;
}
INLINE Bits bad_word(V each, unsigned one, bool together, unsigned limit, Bits m)
{
    return together ? one > limit - 4u : bits(each > V(limit - 4u)) & m;
}
INLINE ::u32 *row(::u32 *mem, unsigned o) { return mem + (size_t)(o >> 2) * MOG_LANES; }
INLINE V index(V o) { return ((o >> V(2u)) << V(4u)) + V(load<::u32, 16>(lane_number)); }
/* The word that the place is in. */
INLINE V load_word(::u32 *mem, V each, unsigned one, bool together, Bits m)
{
    return together ? V(load<::u32, 16>(row(mem, one))) : V(gather(mem, index(each).v, m));
}
INLINE void store_word(::u32 *mem, V each, unsigned one, bool together, V value, Bits m)
{
    if (together) store_lanes(row(mem, one), value.v, m);
    else scatter(mem, index(each).v, value.v, m);
}
INLINE V shift_in_word(V each, unsigned one, bool together) { return together ? V((one & 3u) * 8u) : (each & V(3u)) << V(3u); }
/* The bits of `mask` at the place, and those replaced. */
INLINE V load_part(::u32 *mem, V each, unsigned one, bool together, unsigned mask, Bits m)
{
    return (load_word(mem, each, one, together, m) >> shift_in_word(each, one, together)) & V(mask);
}
INLINE void store_part(::u32 *mem, V each, unsigned one, bool together, V value, unsigned mask, Bits m)
{
    V shift = shift_in_word(each, one, together), part = V(mask) << shift;
    store_word(mem, each, one, together, (load_word(mem, each, one, together, m) & ~part) | ((value << shift) & part), m);
}

/* ---- whose turn it is ---- */
/* Where the lanes stand, and what they may still execute. */
struct Warp {
    alignas(64) ::u32 pcs[MOG_LANES];
    Bits running;
    int nans;                  /* as in MogBlocks */
    int passes;                /* instructions, of the lanes together; none are left where it is not positive */
    unsigned long executed;    /* instructions, by all lanes */
};
/* The lanes to go on with: those that stand at the lowest place, that the others come to it. `wait`: the lowest place
 * of the others, where these join them. */
struct Turn {
    Bits m;
    ::u32 pc, wait;
};
FUNCTION Turn choose(const Warp *w)
{
    const V pcs = load<::u32, 16>(w->pcs);
    Turn turn;
    turn.pc = least(pcs.v, w->running);
    turn.m = bits(pcs == V(turn.pc)) & w->running;
    turn.wait = turn.m == w->running ? 0xffffffffu : least(pcs.v, w->running & ~turn.m);
    return turn;
}
INLINE void stand(Warp *w, Bits m, V pc) { store_lanes(w->pcs, pc.v, m); }
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
#define LOW(p) V(words_of<0>((p).v))
#define HIGH(p) V(words_of<1>((p).v))
#define TWO(low, high) VL(from_words((low).v, (high).v))
#define ROW(n) (rows + (size_t)(n) * stride)
#define GET(n) V(load<::u32, 16>(ROW(n)))
#define REG(n) GET(MOG_S_REGS + (n))
#define GROUP_STATE V acc_kept = GET(MOG_S_ACC), acc = acc_kept; VL dacc_kept = TWO(GET(MOG_S_DLO), GET(MOG_S_DHI)), dacc = dacc_kept; \
    Bits m = turn.m; int passes = s->passes, before = passes; enum { nans_ = 0 }; \
    ::u32 here = 0, there = 0; Bits taken = 0; (void)mem; (void)data_bytes; (void)code_map; (void)acc; (void)dacc;
#define KEEP_ACCUMULATORS acc = keep(acc_kept, acc, m); if (uses_d) dacc = keep(dacc_kept, dacc, m);
#define COUNT_EXECUTED s->executed += (unsigned long)(before - passes) * (unsigned)__builtin_popcount(m); before = passes;
#define GROUP_DONE COUNT_EXECUTED s->passes = passes; KEEP_ACCUMULATORS store(ROW(MOG_S_ACC), acc.v); \
    if (uses_d) { store(ROW(MOG_S_DLO), LOW(dacc).v); store(ROW(MOG_S_DHI), HIGH(dacc).v); }
/* Lanes stand somewhere: all of m `here`, or those of `taken` rather `there`. What follows is here once, for it is long.
 * Whose turn it is. If others': the rows of the state get what these have computed, and what is there for those comes from them.
 * AVX-512 rather has registers right for all lanes all the time, where that costs nothing. */
#define SELECT goto selected;                                                                                \
    parted: __attribute__((unused)); stand(s, m, V(here)); stand(s, taken, V(there)); goto select;         \
    stopped: __attribute__((unused)); stand(s, m, V(here)); goto cold;                                      \
    paused: __attribute__((unused)); stand(s, m, V(here)); goto leave;                                      \
    stood: __attribute__((unused)); stand(s, m, V(here));                                                   \
    select: __attribute__((unused)); COUNT_EXECUTED turn = choose(s); if (turn.m != m) { KEEP_ACCUMULATORS
#ifdef LANES_AVX512
#define PARTED(n, r)
#define PARTED_PAIR(n, p)
#define SET(to, v) keep(to, v, m);
#define SET_REG(n, value) store(ROW(MOG_S_REGS + (n)), V(value).v);
#else
#define PARTED(n, r) SET_REG(n, r) r = REG(n);
#define PARTED_PAIR(n, p) SET_REG(n, LOW(p)) SET_REG((n) + 1u, HIGH(p)) p = TWO(REG(n), REG((n) + 1u));
#define SET(to, v) to = v;
#define SET_REG(n, value) store_lanes(ROW(MOG_S_REGS + (n)), V(value).v, m);
#endif
/* And is it here? */
#define SELECTED(number) m = turn.m; } selected: if (entry_of[turn.pc] >> 16 != number) goto leave;          \
    switch (entry_of[turn.pc] & 0xffffu)

#define SET_LOW(p, v) SET(p, ((p) & VL(0xffffffff00000000ul)) | (u64)(v))
#define SET_HIGH(p, v) SET(p, ((p) & VL(0xfffffffful)) | ((u64)(v) << 32))
/* As in blocks.c. */
#define DEFAULT_NANF(x) SET(x, mog_default_nanf(x))
#define DEFAULT_NAND(x) SET(x, mog_default_nand(x))
#define ACC_LEFT acc
#define D_LEFT dacc

#define ENTER(at, n) if (__builtin_expect((at) >= turn.wait, 0)) { here = at; goto stood; }                  \
    if (__builtin_expect(passes <= 0, 0)) { here = at; goto paused; }                                       \
    passes -= (int)(n);
#define GO(to) goto b##to;
#define LEAVE(to) { here = to##u; goto stood; }
#define BRANCH(condition, to, otherwise) { taken = bits(condition) & m; if (taken == m) goto b##to; DIVERGE(to, otherwise) }
#define BRANCH_OUT(condition, to, otherwise) { taken = bits(condition) & m; if (taken == m) LEAVE(to) DIVERGE(to, otherwise) }
#define DIVERGE(to, otherwise) if (taken != 0) { here = otherwise##u; there = to##u; goto parted; }
#define IF_ANY(condition) if ((bits(condition) & m) != 0)

/* What would stop a lane is done by the interpreter, for all of them. */
#define TRAP(cause, why) { passes += left_; s->nans = nans_; here = at_; goto stopped; }
#define STOP_IF(lanes) if (__builtin_expect((lanes) != 0, 0)) TRAP(0, 0)
#define JUMP_TO(a) { const V a_ = (a); unsigned one_; V t_;                                           \
    if (same(a_, m, one_)) {                                                                               \
        STOP_IF((one_ & 3u) != 0u || (one_ - MOG_CODE_BASE) >> 2 >= MOG_CODE_WORDS)                          \
        t_ = V(code_map[(one_ - MOG_CODE_BASE) >> 2]);                                                     \
    } else {                                                                                               \
        const V w_ = (a_ - V(MOG_CODE_BASE)) >> V(2u);                                                     \
        STOP_IF(m & (bits((a_ & V(3u)) != V(0u)) | bits(w_ >= V(MOG_CODE_WORDS))))                         \
        t_ = gather(code_map, w_.v, m);                                                                    \
    }                                                                                                      \
    STOP_IF(m & bits(t_ == V(MOG_NO_CODE)))                                                                \
    stand(s, m, t_); goto select; }
#define SET_STACK(to, a) { V a_ = (a), brk_ = load<::u32, 16>(mem + MOG_CB_BRK * MOG_LANES);                 \
    STOP_IF(m & (bits(a_ < brk_) | bits(a_ - V(MOG_DATA_BASE) > V(data_bytes)))) SET(to, a_) }

/* As in vocabulary.h, at the PLACE. */
#ifdef MOG_UNCHECKED
#define STOP_IF_BAD(s)
#define STOP_IF_BAD_WORD
#else
#define STOP_IF_BAD(s) STOP_IF(bad(PLACE, s, data_bytes, m))
#define STOP_IF_BAD_WORD STOP_IF(bad_word(PLACE, data_bytes, m))
#endif
#define AT_PLACE(a, action) { const V each_ = (a) - V(MOG_DATA_BASE); unsigned one_; \
    if (__builtin_expect(same(each_, m, one_), 1)) { enum { together_ = 1 }; action } else { enum { together_ = 0 }; action } }
#define ACCESS_LANES(a, s, action) AT_PLACE(a, STOP_IF_BAD(s) action)
#define LOAD8(dst, a)   ACCESS_LANES(a, 0u, dst = load_part(mem, PLACE, 0xffu, m);)
#define LOADS8(dst, a)  ACCESS_LANES(a, 0u, dst = SEXT8(load_part(mem, PLACE, 0xffu, m));)
#define LOAD16(dst, a)  ACCESS_LANES(a, 1u, dst = load_part(mem, PLACE, 0xffffu, m);)
#define LOADS16(dst, a) ACCESS_LANES(a, 1u, dst = SEXT16(load_part(mem, PLACE, 0xffffu, m));)
#define LOAD32(dst, a)  ACCESS_LANES(a, 2u, dst = load_word(mem, PLACE, m);)
#define LOAD64(dst, a)  ACCESS_LANES(a, 3u, dst = TWO(load_word(mem, PLACE, m), load_word(mem, FURTHER(4u), m));)
#define STORE8(a, v)    ACCESS_LANES(a, 0u, store_part(mem, PLACE, v, 0xffu, m);)
#define STORE16(a, v)   ACCESS_LANES(a, 1u, store_part(mem, PLACE, v, 0xffffu, m);)
#define STORE32(a, v)   ACCESS_LANES(a, 2u, store_word(mem, PLACE, v, m);)
#define STORE64(a, v)   ACCESS_LANES(a, 3u, u64 v_ = (v); store_word(mem, PLACE, LOW(v_), m); store_word(mem, FURTHER(4u), HIGH(v_), m);)
/* The unaligned ones. Lanes whose word is aligned need nothing of the second one. */
#define BELOW(s) ((V(1u) << (s)) - V(1u))
#define LOADL(dst, a, old) ACCESS_LANES(a, 0u, V s_ = V(24u) - shift_in_word(PLACE); V old_ = (old); \
    dst = (load_word(mem, PLACE, m) << s_) | (old_ & BELOW(s_));)
#define LOADR(dst, a, old) ACCESS_LANES(a, 0u, V s_ = shift_in_word(PLACE); V old_ = (old); \
    dst = (load_word(mem, PLACE, m) >> s_) | (old_ & ~(V(0xffffffffu) >> s_));)
#define STOREL(a, v) ACCESS_LANES(a, 0u, V s_ = V(24u) - shift_in_word(PLACE); V w_ = load_word(mem, PLACE, m); \
    store_word(mem, PLACE, ((v) >> s_) | (w_ & ~(V(0xffffffffu) >> s_)), m);)
#define STORER(a, v) ACCESS_LANES(a, 0u, V s_ = shift_in_word(PLACE); V w_ = load_word(mem, PLACE, m); \
    store_word(mem, PLACE, ((v) << s_) | (w_ & BELOW(s_)), m);)
#define UNALIGNED(a, action) AT_PLACE(a, STOP_IF_BAD_WORD V s_ = shift_in_word(PLACE); const Bits two_ = m & bits(s_ != V(0u)); action)
#define LOADU(dst, a) UNALIGNED(a, V w_ = load_word(mem, PLACE, m) >> s_; \
    if (two_) { w_ |= load_word(mem, FURTHER(4u), two_) << V(1u) << (V(31u) - s_); } dst = w_;)
#define STOREU(a, v) { V v_ = (v); UNALIGNED(a, store_word(mem, PLACE, (v_ << s_) | (load_word(mem, PLACE, m) & BELOW(s_)), m); \
    if (two_) { store_word(mem, FURTHER(4u), (v_ >> V(1u) >> (V(31u) - s_)) | (load_word(mem, FURTHER(4u), two_) & ~BELOW(s_)), two_); }) }
