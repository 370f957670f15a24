/* arithmetic.h: the arithmetic that takes more than an operator, once for all dialects.
 *
 * Written in the subset that C++, CUDA C++ and OpenCL C 1.2 share, over a dialect's types (u32 i32 u64 i64 f32
 * f64), bit casts (W2F F2W W2D D2W) and roundings. Doubles stand under MOG_F64, so that a program without them
 * also runs on a device without them.
 */

/* ---- integers: no host traps, whatever the operands (MIPS leaves these results open; we take qemu's) ---- */
FUNCTION u32 mog_divu(u32 a, u32 b) { return b == 0u ? a : a / b; }
FUNCTION u32 mog_remu(u32 a, u32 b) { return b == 0u ? 0u : a % b; }
FUNCTION u32 mog_div(u32 a, u32 b)
{
    if (b == 0u || (a == 0x80000000u && b == 0xffffffffu)) return a;
    return (u32)((i32)a / (i32)b);
}
FUNCTION u32 mog_rem(u32 a, u32 b)
{
    if (b == 0u || (a == 0x80000000u && b == 0xffffffffu)) return 0u;
    return (u32)((i32)a % (i32)b);
}

/* ---- NaNs ---------------------------------------------------------------------------------------------
 * MIPS before NaN2008, as qemu has it: whatever NaNs went in, the NaN that comes out is the default one, and that
 * marks a quiet NaN by a *clear* top fraction bit. Devices differ from this and from each other, so every operation
 * asks whether its result is a NaN. */
#define MOG_NANF 0x7fbfffffu
#define MOG_NAND 0x7ff7fffffffffffful
#define ISNANF(w) (((w) & 0x7fffffffu) > 0x7f800000u)

FUNCTION u32 mog_addf(u32 a, u32 b) { f32 r = W2F(a) + W2F(b); return r == r ? F2W(r) : MOG_NANF; }
FUNCTION u32 mog_subf(u32 a, u32 b) { f32 r = W2F(a) - W2F(b); return r == r ? F2W(r) : MOG_NANF; }
FUNCTION u32 mog_mulf(u32 a, u32 b) { f32 r = W2F(a) * W2F(b); return r == r ? F2W(r) : MOG_NANF; }
#ifdef DIVF
FUNCTION u32 mog_divf(u32 a, u32 b) { f32 r = DIVF(W2F(a), W2F(b)); return r == r ? F2W(r) : MOG_NANF; }
FUNCTION u32 mog_sqrtf(u32 a) { f32 r = SQRTF(W2F(a)); return r == r ? F2W(r) : MOG_NANF; }
#endif

/* Out of range, and NaN: 0x7fffffff, on either side. The comparisons are exact: the bounds are floats. */
FUNCTION u32 mog_f2i(u32 a)
{
    f32 f = W2F(a);
    return f >= -2147483648.0f && f < 2147483648.0f ? (u32)(i32)f : 0x7fffffffu;
}

#ifdef MOG_F64
#define ISNAND(w) (((w) & 0x7ffffffffffffffful) > 0x7ff0000000000000ul)
FUNCTION u64 mog_addd(u64 a, u64 b) { f64 r = W2D(a) + W2D(b); return r == r ? D2W(r) : MOG_NAND; }
FUNCTION u64 mog_subd(u64 a, u64 b) { f64 r = W2D(a) - W2D(b); return r == r ? D2W(r) : MOG_NAND; }
FUNCTION u64 mog_muld(u64 a, u64 b) { f64 r = W2D(a) * W2D(b); return r == r ? D2W(r) : MOG_NAND; }
FUNCTION u64 mog_divd(u64 a, u64 b) { f64 r = W2D(a) / W2D(b); return r == r ? D2W(r) : MOG_NAND; }
FUNCTION u64 mog_sqrtd(u64 a) { f64 r = SQRTD(W2D(a)); return r == r ? D2W(r) : MOG_NAND; }

FUNCTION u32 mog_d2i(u64 a)
{
    f64 d = W2D(a);
    return d > -2147483649.0 && d < 2147483648.0 ? (u32)(i32)d : 0x7fffffffu;
}

FUNCTION u64 mog_f2d(u32 a) { return ISNANF(a) ? MOG_NAND : D2W((f64)W2F(a)); }
FUNCTION u32 mog_d2f(u64 a) { return ISNAND(a) ? MOG_NANF : F2W((f32)W2D(a)); }
#endif
