/* integer_arithmetic.h: the arithmetic of integers that takes more than an operator, once for all dialects.
 *
 * Written, as float_arithmetic.h and double_arithmetic.h are, in the subset that C++, CUDA C++ and OpenCL C 1.2 share,
 * over a dialect's types (u32 i32 u64 i64 f32 f64), bit casts (W2F F2W W2D D2W) and roundings.
 */

/* No host traps, whatever the operands (MIPS leaves these results open; we take qemu's). */
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

/* And of 64 bits. */
FUNCTION u64 mog_divu64(u64 a, u64 b) { return b == 0u ? a : a / b; }
FUNCTION u64 mog_remu64(u64 a, u64 b) { return b == 0u ? 0u : a % b; }
FUNCTION u64 mog_div64(u64 a, u64 b)
{
    const u64 none = 0u;
    if (b == none) return a;
    return b == ~none ? none - a : (u64)((i64)a / (i64)b);
}
FUNCTION u64 mog_rem64(u64 a, u64 b)
{
    const u64 none = 0u;
    if (b == none || b == ~none) return none;
    return (u64)((i64)a % (i64)b);
}

FUNCTION u32 mog_mulh(u32 a, u32 b) { return (u32)(((i64)(i32)a * (i64)(i32)b) >> 32); }
FUNCTION u32 mog_mulhu(u32 a, u32 b) { return (u32)(((u64)a * (u64)b) >> 32); }
