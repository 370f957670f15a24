/* lanes_floats.h: floats and doubles for lanes: float_arithmetic.h and double_arithmetic.h in vectors, always natively.
 * */
namespace lanes {
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

typedef F f32;
typedef G f64;

FUNCTION F W2F(V w) { return as<::f32>(w.v); }
FUNCTION V F2W(F f) { return as<::u32>(f.v); }
FUNCTION G W2D(VL w) { return as<::f64>(w.v); }
FUNCTION VL D2W(G d) { return as<::u64>(d.v); }

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
}
