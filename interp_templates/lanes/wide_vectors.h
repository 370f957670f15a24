/* wide_vectors.h: vectors of any number of lanes, by the vector extensions of g++: what a register of the processor
 * holds is one vector, more is two of half as many lanes.
 *
 * Numbers of 32 bits for 16 lanes are one register with AVX-512, two with AVX2, four elsewhere. g++'s own vectors of
 * more than a register live in memory and are compared number by number.
 */
#pragma GCC diagnostic ignored "-Wpsabi"
#define INLINE FUNCTION __attribute__((always_inline))

namespace lanes {
#if defined(__AVX512BW__) && defined(__AVX512CD__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
#define LANES_AVX512
constexpr int register_bytes = 64;
#elif defined(__AVX2__)
constexpr int register_bytes = 32;
#else
constexpr int register_bytes = 16;
#endif

template <class T, int n, bool fits_ = n * (int)sizeof(T) <= register_bytes>
struct Wide {
    static constexpr bool fits = true;
    typedef T Vector __attribute__((vector_size(n * sizeof(T)), may_alias));
    Vector v;
};
template <class T, int n>
struct Wide<T, n, false> {
    static constexpr bool fits = false;
    Wide<T, n / 2> low, high;
};

#define WIDE_OPERATOR(op) template <class T, int n> INLINE Wide<T, n> operator op(Wide<T, n> a, Wide<T, n> b) \
{                                                                                                            \
    if constexpr (Wide<T, n>::fits) return {a.v op b.v};                                                     \
    else return {a.low op b.low, a.high op b.high};                                                          \
}
WIDE_OPERATOR(+)
WIDE_OPERATOR(-)
WIDE_OPERATOR(*)
WIDE_OPERATOR(/)
WIDE_OPERATOR(&)
WIDE_OPERATOR(|)
WIDE_OPERATOR(^)
WIDE_OPERATOR(<<)
WIDE_OPERATOR(>>)
template <class T, int n>
INLINE Wide<T, n> operator~(Wide<T, n> a)
{
    if constexpr (Wide<T, n>::fits) return {~a.v};
    else return {~a.low, ~a.high};
}

/* The answer of a comparison: 0 or -1, of the size of what was compared. */
template <int bytes> struct MaskOf;
template <> struct MaskOf<4> { typedef ::i32 Type; };
template <> struct MaskOf<8> { typedef ::i64 Type; };
template <class T, int n> using Mask = Wide<typename MaskOf<sizeof(T)>::Type, n>;
#define WIDE_COMPARISON(op) template <class T, int n> INLINE Mask<T, n> operator op(Wide<T, n> a, Wide<T, n> b) \
{                                                                                                              \
    if constexpr (Wide<T, n>::fits) return {(typename Mask<T, n>::Vector)(a.v op b.v)};                        \
    else return {a.low op b.low, a.high op b.high};                                                            \
}
WIDE_COMPARISON(==)
WIDE_COMPARISON(!=)
WIDE_COMPARISON(<)
WIDE_COMPARISON(<=)
WIDE_COMPARISON(>)
WIDE_COMPARISON(>=)

template <class T, int n>
INLINE Wide<T, n> select(Mask<T, n> which, Wide<T, n> yes, Wide<T, n> no)
{
    if constexpr (Wide<T, n>::fits) return {which.v ? yes.v : no.v};
    else return {select(which.low, yes.low, no.low), select(which.high, yes.high, no.high)};
}

/* The same number in all lanes. */
template <class T, int n>
INLINE Wide<T, n> all(T x)
{
    if constexpr (Wide<T, n>::fits) return {typename Wide<T, n>::Vector{} + x};
    else return {all<T, n / 2>(x), all<T, n / 2>(x)};
}

/* The same bits as other numbers. */
template <class To, class From, int n>
INLINE Wide<To, n> as(Wide<From, n> x)
{
    if constexpr (Wide<From, n>::fits) return {(typename Wide<To, n>::Vector)x.v};
    else return {as<To>(x.low), as<To>(x.high)};
}

/* Halves, and two of them joined. */
template <class T, int n>
INLINE Wide<T, n / 2> low_half(Wide<T, n> x)
{
    if constexpr (!Wide<T, n>::fits) return x.low;
    else if constexpr (n == 16) return {__builtin_shufflevector(x.v, x.v, 0, 1, 2, 3, 4, 5, 6, 7)};
    else if constexpr (n == 8) return {__builtin_shufflevector(x.v, x.v, 0, 1, 2, 3)};
    else return {__builtin_shufflevector(x.v, x.v, 0, 1)};
}
template <class T, int n>
INLINE Wide<T, n / 2> high_half(Wide<T, n> x)
{
    if constexpr (!Wide<T, n>::fits) return x.high;
    else if constexpr (n == 16) return {__builtin_shufflevector(x.v, x.v, 8, 9, 10, 11, 12, 13, 14, 15)};
    else if constexpr (n == 8) return {__builtin_shufflevector(x.v, x.v, 4, 5, 6, 7)};
    else return {__builtin_shufflevector(x.v, x.v, 2, 3)};
}
template <class T, int n>
INLINE Wide<T, 2 * n> join(Wide<T, n> low, Wide<T, n> high)
{
    if constexpr (!Wide<T, 2 * n>::fits) return {low, high};
    else if constexpr (n == 8)
        return {__builtin_shufflevector(low.v, high.v, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)};
    else if constexpr (n == 4) return {__builtin_shufflevector(low.v, high.v, 0, 1, 2, 3, 4, 5, 6, 7)};
    else return {__builtin_shufflevector(low.v, high.v, 0, 1, 2, 3)};
}

/* As C converts numbers. */
template <class To, class From, int n>
INLINE Wide<To, n> convert(Wide<From, n> x)
{
    if constexpr (Wide<To, n>::fits && Wide<From, n>::fits)
        return {__builtin_convertvector(x.v, typename Wide<To, n>::Vector)};
    else return join(convert<To>(low_half(x)), convert<To>(high_half(x)));
}

/* Words of numbers of 64 bits, the low ones or the high ones; and such numbers from their words. */
template <int odd, int n>
INLINE Wide<::u32, n> words_of(Wide<::u64, n> x)
{
    if constexpr (!Wide<::u32, n>::fits) return {words_of<odd>(x.low), words_of<odd>(x.high)};
    else {
        typedef typename Wide<::u32, n>::Vector Words;
        const Words a = (Words)x.low.v, b = (Words)x.high.v;
        if constexpr (n == 16)
            return {__builtin_shufflevector(a, b, odd, odd + 2, odd + 4, odd + 6, odd + 8, odd + 10, odd + 12, odd + 14,
                                            odd + 16, odd + 18, odd + 20, odd + 22, odd + 24, odd + 26, odd + 28,
                                            odd + 30)};
        else if constexpr (n == 8)
            return {
                __builtin_shufflevector(a, b, odd, odd + 2, odd + 4, odd + 6, odd + 8, odd + 10, odd + 12, odd + 14)};
        else return {__builtin_shufflevector(a, b, odd, odd + 2, odd + 4, odd + 6)};
    }
}
template <int n>
INLINE Wide<::u64, n> from_words(Wide<::u32, n> low, Wide<::u32, n> high)
{
    if constexpr (!Wide<::u32, n>::fits) return {from_words(low.low, high.low), from_words(low.high, high.high)};
    else {
        typedef typename Wide<::u64, n / 2>::Vector Two;
        if constexpr (n == 16)
            return {
                {(Two)__builtin_shufflevector(low.v, high.v, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)},
                {(Two)__builtin_shufflevector(low.v, high.v, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15,
                                              31)}};
        else if constexpr (n == 8)
            return {{(Two)__builtin_shufflevector(low.v, high.v, 0, 8, 1, 9, 2, 10, 3, 11)},
                    {(Two)__builtin_shufflevector(low.v, high.v, 4, 12, 5, 13, 6, 14, 7, 15)}};
        else
            return {{(Two)__builtin_shufflevector(low.v, high.v, 0, 4, 1, 5)},
                    {(Two)__builtin_shufflevector(low.v, high.v, 2, 6, 3, 7)}};
    }
}

/* From and to memory that is aligned to a whole one. */
template <class T, int n>
INLINE Wide<T, n> load(const T *from)
{
    if constexpr (Wide<T, n>::fits) return {*(const typename Wide<T, n>::Vector *)from};
    else return {load<T, n / 2>(from), load<T, n / 2>(from + n / 2)};
}
template <class T, int n>
INLINE void store(T *to, Wide<T, n> x)
{
    if constexpr (Wide<T, n>::fits) *(typename Wide<T, n>::Vector *)to = x.v;
    else { store(to, x.low); store(to + n / 2, x.high); }
}

typedef Wide<::u32, 16> U32;
typedef Wide<::i32, 16> I32;
typedef Wide<::u64, 16> U64;
typedef Wide<::i64, 16> I64;
typedef Wide<::f32, 16> F32;
typedef Wide<::f64, 16> F64;
INLINE U32 splat(unsigned x) { return all<::u32, 16>(x); }

alignas(64) static const ::u32 lane_number[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
}
