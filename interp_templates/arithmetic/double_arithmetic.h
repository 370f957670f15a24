/* double_arithmetic.h: doubles, and conversions between them and floats. */
#ifdef MOG_NATIVE_F64
FUNCTION u64 mog_any_nan_addd(u64 a, u64 b) { return D2W(ADDD(W2D(a), W2D(b))); }
FUNCTION u64 mog_any_nan_subd(u64 a, u64 b) { return D2W(SUBD(W2D(a), W2D(b))); }
FUNCTION u64 mog_any_nan_muld(u64 a, u64 b) { return D2W(MULD(W2D(a), W2D(b))); }
FUNCTION u64 mog_any_nan_divd(u64 a, u64 b) { return D2W(DIVD(W2D(a), W2D(b))); }
FUNCTION u64 mog_any_nan_sqrtd(u64 a) { return D2W(SQRTD(W2D(a))); }
FUNCTION u64 mog_default_nand(u64 a) { f64 r = W2D(a); return RESULTD(r); }
FUNCTION u64 mog_addd(u64 a, u64 b) { f64 r = ADDD(W2D(a), W2D(b)); return RESULTD(r); }
FUNCTION u64 mog_subd(u64 a, u64 b) { f64 r = SUBD(W2D(a), W2D(b)); return RESULTD(r); }
FUNCTION u64 mog_muld(u64 a, u64 b) { f64 r = MULD(W2D(a), W2D(b)); return RESULTD(r); }
FUNCTION u64 mog_divd(u64 a, u64 b) { f64 r = DIVD(W2D(a), W2D(b)); return RESULTD(r); }
FUNCTION u64 mog_sqrtd(u64 a) { f64 r = SQRTD(W2D(a)); return RESULTD(r); }
FUNCTION u32 mog_d2i(u64 a)
{
    f64 d = W2D(a);
    return d > -2147483649.0 && d < 2147483648.0 ? (u32)(i32)d : 0x7fffffffu;
}
#define mog_d2in(a) mog_d2i(D2W(RINTD(W2D(a))))
#define mog_d2iu(a) mog_d2i(D2W(CEILD(W2D(a))))
#define mog_d2id(a) mog_d2i(D2W(FLOORD(W2D(a))))
#define mog_d2ir(a) mog_d2in(a)
#define mog_eqd(a, b) (u32)(W2D(a) == W2D(b))
#define mog_ltd(a, b) (u32)(W2D(a) < W2D(b))
#define mog_led(a, b) (u32)(W2D(a) <= W2D(b))
#define mog_und(a, b) (u32)UNORDEREDD(a, b)
#define mog_eqds(a, b) mog_eqd(a, b)
#define mog_ltds(a, b) mog_ltd(a, b)
#define mog_leds(a, b) mog_led(a, b)
#define mog_unds(a, b) mog_und(a, b)
#define mog_i2d(a) D2W((f64)(i32)(a))
#ifndef MOG_FLOAT_SOFT
FUNCTION u64 mog_f2d(u32 a) { return ISNANF(a) ? MOG_NAND : D2W((f64)W2F(a)); }
FUNCTION u32 mog_d2f(u64 a) { return ISNAND(a) ? MOG_NANF : F2W((f32)W2D(a)); }
#endif
#else
#ifdef MOG_DOUBLE_PAIR
#define mog_muld(a, b) pair_multiply(a, b, &fpu_)
#define mog_divd(a, b) pair_divide(a, b, &fpu_)
#define mog_sqrtd(a) pair_root(a, &fpu_)
#else
#define mog_muld(a, b) soft_multiply(a, b, 52u, &fpu_)
#define mog_divd(a, b) soft_divide(a, b, 52u, &fpu_)
#define mog_sqrtd(a) soft_root(a, 52u, &fpu_)
#endif
#define mog_any_nan_addd(a, b) mog_addd(a, b)
#define mog_any_nan_subd(a, b) mog_subd(a, b)
#define mog_any_nan_muld(a, b) mog_muld(a, b)
#define mog_any_nan_divd(a, b) mog_divd(a, b)
#define mog_any_nan_sqrtd(a) mog_sqrtd(a)
#define mog_default_nand(a) (a)
#define mog_addd(a, b) soft_add(a, b, 52u, &fpu_)
#define mog_subd(a, b) soft_add(a, (b) ^ 0x8000000000000000ul, 52u, &fpu_)
#define mog_eqd(a, b) (u32)(soft_compare(a, b, 52u, 0u, &fpu_) == SOFT_EQUAL)
#define mog_ltd(a, b) (u32)(soft_compare(a, b, 52u, 0u, &fpu_) == SOFT_LESS)
#define mog_led(a, b) (u32)((soft_compare(a, b, 52u, 0u, &fpu_) & (SOFT_LESS | SOFT_EQUAL)) != 0u)
#define mog_und(a, b) (u32)(soft_compare(a, b, 52u, 0u, &fpu_) == SOFT_UNORDERED)
#define mog_eqds(a, b) (u32)(soft_compare(a, b, 52u, 1u, &fpu_) == SOFT_EQUAL)
#define mog_ltds(a, b) (u32)(soft_compare(a, b, 52u, 1u, &fpu_) == SOFT_LESS)
#define mog_leds(a, b) (u32)((soft_compare(a, b, 52u, 1u, &fpu_) & (SOFT_LESS | SOFT_EQUAL)) != 0u)
#define mog_unds(a, b) (u32)(soft_compare(a, b, 52u, 1u, &fpu_) == SOFT_UNORDERED)
#define mog_i2d(a) SOFT_FROM_SIGNED(a, 52u, &fpu_)
#define mog_d2i(a) soft_to_integer(a, 52u, MOG_FP_ZERO, &fpu_)
#define mog_d2in(a) soft_to_integer(a, 52u, MOG_FP_NEAREST, &fpu_)
#define mog_d2iu(a) soft_to_integer(a, 52u, MOG_FP_UP, &fpu_)
#define mog_d2id(a) soft_to_integer(a, 52u, MOG_FP_DOWN, &fpu_)
#define mog_d2ir(a) soft_to_integer(a, 52u, fpu_.rounding, &fpu_)
#endif
#if !defined(MOG_NATIVE_F64) || defined(MOG_FLOAT_SOFT)
#define mog_f2d(a) soft_convert(a, 23u, 52u, &fpu_)
#define mog_d2f(a) ((u32)soft_convert(a, 52u, 23u, &fpu_))
#endif
