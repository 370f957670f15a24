/* lanes.h: the vocabulary of compiled blocks for MOG_LANES PEs at once, one in each lane of vectors.
 *
 * The types take the names that the bodies of isa.def and integer_arithmetic.h use, in a namespace of their own, so
 * their text is the same. `m` is the set of lanes that execute, a bit for each. What others compute with them is
 * dropped: with AVX-512 when a register is set (SET), elsewhere when another set has its turn (PARTED). Compile with
 * -march=x86-64-v4 for AVX-512 (lanes_avx512.h), or for any other processor (lanes_vectors.h). The interpreter
 * beside it has MOG_LANES as MOG_WARP: lanes' words of DATA lie side by side, and a row of the state is a U32.
 */
namespace lanes {

FUNCTION K operator!=(K a, int) { return a; }

struct VI;
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

typedef V u32;
typedef VI i32;
typedef VL u64;

/* ---- integer_arithmetic.h's functions, for lanes ---- */
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
/* One after the other: no processor has vectors for it. */
#define MOG_LANES_64(name) \
    FUNCTION VL name(VL a, VL b) \
    { \
        alignas(64) ::u64 x[16], y[16]; \
        store(x, a.v); \
        store(y, b.v); \
        for (int lane = 0; lane < 16; ++lane) x[lane] = ::name(x[lane], y[lane]); \
        return load<::u64, 16>(x); \
    }
MOG_LANES_64(mog_div64)
MOG_LANES_64(mog_divu64)
MOG_LANES_64(mog_rem64)
MOG_LANES_64(mog_remu64)
#undef MOG_LANES_64
#undef CLZ
FUNCTION V CLZ(V x) { return leading_zeros(x.v); }

/* ---- and for one number that all lanes have, in copies of loops (form_lanes.h) ---- */
using ::mog_div;
using ::mog_div64;
using ::mog_divu;
using ::mog_divu64;
using ::mog_mulh;
using ::mog_mulhu;
using ::mog_rem;
using ::mog_rem64;
using ::mog_remu;
using ::mog_remu64;
FUNCTION ::u32 CLZ(::u32 x) { return x == 0u ? 32u : (::u32)__builtin_clz(x); }
INLINE Bits bits(bool all) { return (Bits)(all ? 0xffffu : 0u); }

/* Only in lanes that execute; what `to` is then. */
INLINE V keep(V &to, V value, Bits m) { return to = choose_lanes(m, value.v, to.v); }
INLINE VL keep(VL &to, VL value, Bits m) { return to = choose_lanes(m, value.v, to.v); }

/* ---- a build that compares scalars with what all lanes compute, for tests ---- */
#ifdef MOG_CHECK_SCALARS
extern "C" int dprintf(int, const char *, ...);
/* Addresses: scalars; found to be the same in all lanes; and not. And how many scalars were compared. */
static unsigned long accesses[3], compared;
#define NOTE_ACCESS(which) __atomic_fetch_add(&accesses[which], 1ul, __ATOMIC_RELAXED);
static __attribute__((destructor)) void tell_accesses()
{
    dprintf(2, "addresses in lanes: %lu scalar, %lu asked and the same, %lu not the same; %lu scalars compared\n",
            accesses[0], accesses[1], accesses[2], compared);
}
INLINE void check_scalar(V each, ::u32 one, int line)
{
    __atomic_fetch_add(&compared, 1ul, __ATOMIC_RELAXED);
    if (bits(each != V(one)) == 0) return;
    dprintf(2, "code for lanes, line %d: a scalar is not the same in all lanes\n", line);
    __builtin_abort();
}
#else
#define NOTE_ACCESS(which)
#endif

/* ---- memory ---- */
/* True if the lanes in m have the same value, which is then `value`. */
INLINE bool same(V x, Bits m, unsigned &value)
{
    value = lane(x.v, (unsigned)__builtin_ctz(m));
    const bool is_same = (bits(equal(x.v, splat(value))) & m) == m;
    NOTE_ACCESS(is_same ? 1 : 2)
    return is_same;
}
/* Where lanes access a space, by bytes from its beginning: a number, if all of them access the same `one`, as most
 * programs' lanes do; else `each` its own. So there are two functions, and what asks about numbers is not compiled
 * where there are vectors, nor the other way round. */
INLINE bool same(::u32 x, Bits, unsigned &value) { NOTE_ACCESS(0) value = x; return true; }
#define PLACE place_
#define FURTHER(bytes) place_ + (bytes)
/* The lanes whose access of 2^s bytes is bad, as in vocabulary.h; or of a word at any alignment. */
template <unsigned s>
INLINE Bits bad(unsigned one, unsigned limit, Bits)
{
    return (s == 0u ? one : one >> s | one << (32u - s) % 32u) >= limit >> s;
}
template <unsigned s>
INLINE Bits bad(V each, unsigned limit, Bits m)
{
    if constexpr (s == 0u) return bits(each >= V(limit)) & m;
    else return bits(((each >> V(s)) | (each << V(32u - s))) >= V(limit >> s)) & m;
}
INLINE Bits bad_word(unsigned one, unsigned limit, Bits) { return one > limit - 4u; }
INLINE Bits bad_word(V each, unsigned limit, Bits m) { return bits(each > V(limit - 4u)) & m; }
/* Those whose place is one of so many bytes. */
INLINE Bits within(unsigned one, unsigned from, unsigned bytes, Bits) { return one - from < bytes; }
INLINE Bits within(V each, unsigned from, unsigned bytes, Bits m) { return bits(each - V(from) < V(bytes)) & m; }
/* Whether all of them are in a space. */
INLINE bool are_in(V a, unsigned base, unsigned bytes, Bits m) { return (bits(a - V(base) < V(bytes)) & m) == m; }
INLINE bool are_in(::u32 a, unsigned base, unsigned bytes, Bits) { return a - base < bytes; }
INLINE V shift_in_word(unsigned one) { return V((one & 3u) * 8u); }
INLINE V shift_in_word(V each) { return (each & V(3u)) << V(3u); }
/* The bits of `mask` at the place. What a space loads with is found by its type; PEs' own is a plain pointer. */
INLINE V load_word(::u32 *mem, unsigned one, Bits m);
template <class Memory, class Place>
INLINE V load_part(Memory mem, Place place, unsigned mask, Bits m)
{
    return (load_word(mem, place, m) >> shift_in_word(place)) & V(mask);
}

/* Accesses of lanes that are not together, in functions of their own: they are rare, and their code would be half of
 * all that there is to compile. Vectors are handed over as copies in memory, for an address keeps a variable out of
 * registers. What comes back is the lanes whose access is bad, if there are any; then nothing was done.
 * `from`, `bytes`: what stores must not reach, as for within(). */
#define APART(...) template <__VA_ARGS__> static __attribute__((noinline, unused)) Bits
#ifdef MOG_UNCHECKED
#define BAD_APART(s)
#define READ_ONLY_APART
#else
#define BAD_APART(s) if (const Bits bad_ = bad<s>(*each, limit, m)) return bad_;
#define READ_ONLY_APART \
    if (bytes != 0u) { if (const Bits bad_ = within(*each, from, bytes, m)) return bad_; }
#endif
APART(unsigned s, class Memory) load_at(Memory mem, const V *each, unsigned limit, Bits m, V *x)
{
    (void)limit;
    BAD_APART(s)
    *x = s == 2u ? load_word(mem, *each, m)
                 : load_part(mem, *each, (1u << (8u << (s & 1u))) - 1u, m);
    return 0;
}
APART(class Memory) load_pair_at(Memory mem, const V *each, unsigned limit, Bits m, V *x)
{
    (void)limit;
    BAD_APART(3u)
    x[0] = load_word(mem, *each, m);
    x[1] = load_word(mem, *each + V(4u), m);
    return 0;
}
APART(unsigned s, class Memory)
store_at(Memory mem, const V *each, unsigned limit, unsigned from, unsigned bytes, const V *x, Bits m)
{
    (void)limit, (void)from, (void)bytes;
    BAD_APART(s)
    READ_ONLY_APART
    if (s == 2u) store_word(mem, *each, *x, m);
    else store_part(mem, *each, *x, (1u << (8u << (s & 1u))) - 1u, m);
    return 0;
}
APART(class Memory)
store_pair_at(Memory mem, const V *each, unsigned limit, unsigned from, unsigned bytes, const V *x, Bits m)
{
    (void)limit, (void)from, (void)bytes;
    BAD_APART(3u)
    READ_ONLY_APART
    store_word(mem, *each, x[0], m);
    store_word(mem, *each + V(4u), x[1], m);
    return 0;
}
#undef APART

/* ---- whose turn it is ---- */
/* Where the lanes stand, and what they may still execute. */
struct Warp {
    alignas(64) ::u32 pcs[MOG_LANES];
    Bits running;
    int nans;                  /* as in MogBlocks */
    int passes;                /* instructions, of the lanes together; none are left where it is not positive */
    unsigned long executed;    /* instructions, by all lanes */
    /* Of copies of loops: how often their guards were asked, and held; instructions in them, of the lanes together, and
     * those of them that were scalars. */
    unsigned long asked, held, guarded, scalars;
    ::u32 divergence;          /* which of them may be entered: those up to this level */
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
