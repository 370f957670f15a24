/* float_arithmetic.h: floats, and how any operation of the FPU is done.
 *
 * The bodies of isa.def compute by FPU(where the result goes, the operation without its mog_). Floats and doubles are
 * done by the device where it does them as IEEE 754 says, else by soft_float.h or pair_float.h; float_modes.h says
 * which.
 */

/* ---- how an operation is done --------------------------------------------------------------------------
 * With the FPU's control register, fcsr: under its rounding; its causes are set; what it traps stops the PE. */
#define FPU(dst, operation) COMPUTE(dst, mog_##operation)
#define ANY_NAN(dst, operation) COMPUTE(dst, mog_any_nan_##operation)  /* the result may be any NaN: see below */
#if defined(MOG_FCSR)
#define COMPUTE(dst, operation) { Fpu fpu_; u64 result_; \
    fpu_.rounding = fcsr & 3u; fpu_.flush = fcsr & MOG_FCSR_FLUSH; fpu_.raised = 0u; \
    result_ = operation; \
    fcsr = (fcsr & ~MOG_FCSR_CAUSES) | fpu_.raised << 12; \
    if (((fcsr >> 7) & fpu_.raised) != 0u) TRAP(MOG_STOP_FPU, fcsr) \
    else { fcsr |= fpu_.raised << 2; dst = RESULT_##dst(result_); } }
#define RESULT_acc(result) ((u32)(result))
#define RESULT_dacc(result) (result)
#elif defined(MOG_SOFT_FLOAT)
#define COMPUTE(dst, operation) { Fpu fpu_; fpu_.rounding = 0u; fpu_.flush = 0u; fpu_.raised = 0u; \
    dst = operation; (void)fpu_; }
#else
#define COMPUTE(dst, operation) dst = operation;
#endif

/* ---- NaNs ---------------------------------------------------------------------------------------------
 * MIPS before NaN2008, as qemu has it: whatever NaNs went in, the NaN that comes out is the default one, and that
 * marks a quiet NaN by a *clear* top fraction bit. Devices differ from this and from each other, so every operation
 * asks whether its result is a NaN. Compiled blocks ask later, and seldom (nan_results.hpp): operations mog_any_nan_*,
 * for floats done by the device, leave what comes out, and mog_default_nan* makes it the default one. */
#define MOG_NANF 0x7fbfffffu
#define MOG_NAND 0x7ff7fffffffffffful
#ifndef RESULTF  /* a dialect may know better */
#define RESULTF(r) ((r) == (r) ? F2W(r) : MOG_NANF)
#define RESULTD(r) ((r) == (r) ? D2W(r) : MOG_NAND)
#endif
#define ISNANF(w) (((w) & 0x7fffffffu) > 0x7f800000u)
#define ISNAND(w) (((w) & 0x7ffffffffffffffful) > 0x7ff0000000000000ul)
#ifndef UNORDEREDF  /* a dialect may have an instruction for it */
#define UNORDEREDF(a, b) (ISNANF(a) || ISNANF(b))
#define UNORDEREDD(a, b) (ISNAND(a) || ISNAND(b))
#endif

/* ---- floats ------------------------------------------------------------------------------------------- */
#ifdef MOG_FLOAT_SOFT
#define mog_addf(a, b) ((u32)soft_add(a, b, 23u, &fpu_))
#define mog_subf(a, b) ((u32)soft_add(a, (b) ^ 0x80000000u, 23u, &fpu_))
#define mog_mulf(a, b) ((u32)soft_multiply(a, b, 23u, &fpu_))
#define mog_any_nan_addf(a, b) mog_addf(a, b)
#define mog_any_nan_subf(a, b) mog_subf(a, b)
#define mog_any_nan_mulf(a, b) mog_mulf(a, b)
#define mog_default_nanf(a) (a)
#define mog_eqf(a, b) (u32)(soft_compare(a, b, 23u, 0u, &fpu_) == SOFT_EQUAL)
#define mog_ltf(a, b) (u32)(soft_compare(a, b, 23u, 0u, &fpu_) == SOFT_LESS)
#define mog_lef(a, b) (u32)((soft_compare(a, b, 23u, 0u, &fpu_) & (SOFT_LESS | SOFT_EQUAL)) != 0u)
#define mog_unf(a, b) (u32)(soft_compare(a, b, 23u, 0u, &fpu_) == SOFT_UNORDERED)
#define mog_eqfs(a, b) (u32)(soft_compare(a, b, 23u, 1u, &fpu_) == SOFT_EQUAL)
#define mog_ltfs(a, b) (u32)(soft_compare(a, b, 23u, 1u, &fpu_) == SOFT_LESS)
#define mog_lefs(a, b) (u32)((soft_compare(a, b, 23u, 1u, &fpu_) & (SOFT_LESS | SOFT_EQUAL)) != 0u)
#define mog_unfs(a, b) (u32)(soft_compare(a, b, 23u, 1u, &fpu_) == SOFT_UNORDERED)
#define mog_i2f(a) ((u32)SOFT_FROM_SIGNED(a, 23u, &fpu_))
#define mog_u2f(a) ((u32)soft_from_integer(0u, a, 23u, &fpu_))
#define mog_f2i(a) soft_to_integer(a, 23u, MOG_FP_ZERO, &fpu_)
#define mog_f2in(a) soft_to_integer(a, 23u, MOG_FP_NEAREST, &fpu_)
#define mog_f2iu(a) soft_to_integer(a, 23u, MOG_FP_UP, &fpu_)
#define mog_f2id(a) soft_to_integer(a, 23u, MOG_FP_DOWN, &fpu_)
#define mog_f2ir(a) soft_to_integer(a, 23u, fpu_.rounding, &fpu_)
#else
FUNCTION u32 mog_any_nan_addf(u32 a, u32 b) { return F2W(ADDF(W2F(a), W2F(b))); }
FUNCTION u32 mog_any_nan_subf(u32 a, u32 b) { return F2W(SUBF(W2F(a), W2F(b))); }
FUNCTION u32 mog_any_nan_mulf(u32 a, u32 b) { return F2W(MULF(W2F(a), W2F(b))); }
FUNCTION u32 mog_default_nanf(u32 a) { f32 r = W2F(a); return RESULTF(r); }
FUNCTION u32 mog_addf(u32 a, u32 b) { f32 r = ADDF(W2F(a), W2F(b)); return RESULTF(r); }
FUNCTION u32 mog_subf(u32 a, u32 b) { f32 r = SUBF(W2F(a), W2F(b)); return RESULTF(r); }
FUNCTION u32 mog_mulf(u32 a, u32 b) { f32 r = MULF(W2F(a), W2F(b)); return RESULTF(r); }
/* Out of range, and NaN: 0x7fffffff, on either side. The comparisons are exact: the bounds are floats. */
FUNCTION u32 mog_f2i(u32 a)
{
    f32 f = W2F(a);
    return f >= -2147483648.0f && f < 2147483648.0f ? (u32)(i32)f : 0x7fffffffu;
}
#define mog_f2in(a) mog_f2i(F2W(RINTF(W2F(a))))
#define mog_f2iu(a) mog_f2i(F2W(CEILF(W2F(a))))
#define mog_f2id(a) mog_f2i(F2W(FLOORF(W2F(a))))
#define mog_f2ir(a) mog_f2in(a)
#define mog_eqf(a, b) (u32)(W2F(a) == W2F(b))
#define mog_ltf(a, b) (u32)(W2F(a) < W2F(b))
#define mog_lef(a, b) (u32)(W2F(a) <= W2F(b))
#define mog_unf(a, b) (u32)UNORDEREDF(a, b)
#define mog_eqfs(a, b) mog_eqf(a, b)
#define mog_ltfs(a, b) mog_ltf(a, b)
#define mog_lefs(a, b) mog_lef(a, b)
#define mog_unfs(a, b) mog_unf(a, b)
#define mog_i2f(a) F2W((f32)(i32)(a))
#define mog_u2f(a) F2W((f32)(a))
#endif

#ifdef MOG_DIVF_SOFT
#define mog_divf(a, b) ((u32)soft_divide(a, b, 23u, &fpu_))
#define mog_sqrtf(a) ((u32)soft_root(a, 23u, &fpu_))
#define mog_any_nan_divf(a, b) mog_divf(a, b)
#define mog_any_nan_sqrtf(a) mog_sqrtf(a)
#else
FUNCTION u32 mog_any_nan_divf(u32 a, u32 b) { return F2W(DIVF(W2F(a), W2F(b))); }
FUNCTION u32 mog_any_nan_sqrtf(u32 a) { return F2W(SQRTF(W2F(a))); }
FUNCTION u32 mog_divf(u32 a, u32 b) { f32 r = DIVF(W2F(a), W2F(b)); return RESULTF(r); }
FUNCTION u32 mog_sqrtf(u32 a) { f32 r = SQRTF(W2F(a)); return RESULTF(r); }
#endif
