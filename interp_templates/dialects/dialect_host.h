/* dialect_host.h: the interpreter's vocabulary in plain C++ (or C): one PE at a time, run by the runtime's threads.
 * Compile with -ffp-contract=off -fwrapv -fno-strict-aliasing. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>
typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef int32_t i32;
typedef uint64_t u64;
typedef int64_t i64;
typedef float f32;
typedef double f64;
#define MAYBE_UNUSED __attribute__((unused))
#define FUNCTION MAYBE_UNUSED static inline
FUNCTION f32 W2F(u32 w) { f32 f; memcpy(&f, &w, sizeof f); return f; }
FUNCTION u32 F2W(f32 f) { u32 w; memcpy(&w, &f, sizeof w); return w; }
FUNCTION f64 W2D(u64 w) { f64 d; memcpy(&d, &w, sizeof d); return d; }
FUNCTION u64 D2W(f64 d) { u64 w; memcpy(&w, &d, sizeof w); return w; }
#define RINTF(x) __builtin_rintf(x)
#define CEILF(x) __builtin_ceilf(x)
#define FLOORF(x) __builtin_floorf(x)
#define RINTD(x) __builtin_rint(x)
#define CEILD(x) __builtin_ceil(x)
#define FLOORD(x) __builtin_floor(x)
#define SQRTF(x) __builtin_sqrtf(x)
#define SQRTD(x) __builtin_sqrt(x)
#define ADDF(a, b) ((a) + (b))
#define SUBF(a, b) ((a) - (b))
#define MULF(a, b) ((a) * (b))
#define DIVF(a, b) ((a) / (b))
#define ADDD(a, b) ((a) + (b))
#define SUBD(a, b) ((a) - (b))
#define MULD(a, b) ((a) * (b))
#define DIVD(a, b) ((a) / (b))
/* The default NaN takes the place of another one in a branch, behind what the compiler cannot see through. So the
 * result of an operation is a float until the next one, where the choice of a word would move it to a register for
 * integers and back. */
FUNCTION u32 mog_result_float(f32 r, u32 nan)
{
    if (__builtin_expect(r != r, 0)) { __asm__ volatile("" : "+r"(nan)); r = W2F(nan); }
    return F2W(r);
}
FUNCTION u64 mog_result_double(f64 r, u64 nan)
{
    if (__builtin_expect(r != r, 0)) { __asm__ volatile("" : "+r"(nan)); r = W2D(nan); }
    return D2W(r);
}
#define RESULTF(r) mog_result_float(r, MOG_NANF)
#define RESULTD(r) mog_result_double(r, MOG_NAND)
#define UNORDEREDF(a, b) __builtin_isunordered(W2F(a), W2F(b))
#define UNORDEREDD(a, b) __builtin_isunordered(W2D(a), W2D(b))
#define CLZ(x) ((x) ? (u32)__builtin_clz(x) : 32u)

/* Who compiles may want them otherwise: `static`, where others get at them by pointers. */
#ifdef KERNEL
#elif defined(__cplusplus)
#define KERNEL extern "C" __attribute__((visibility("default")))
#else
#define KERNEL __attribute__((visibility("default")))
#endif
#define DEVICE_BUFFER
#define CONSTANT_BUFFER const
#define DATA_SPACE
/* Two bytes at an even place, in one access, whatever else is done with the words there. */
typedef u16 __attribute__((may_alias)) mog_half;
#define LOAD_HALF(p) ((u32) * (const mog_half *)(p))
#define STORE_HALF(p, v) *(mog_half *)(p) = (u16)(v);
#define ATOMIC_INC(p) __atomic_fetch_add(p, 1u, __ATOMIC_RELAXED)
#define ATOMIC_DEC(p) __atomic_fetch_sub(p, 1u, __ATOMIC_RELAXED)
/* Between PEs that share memory: what the word was, which is `value` now if that was `old`; the same for other
 * operations on it; a fence for all accesses, and one for the loads before it alone. FENCED: a statement with one of
 * the former, and a fence before and behind it, where it is none itself. */
FUNCTION u32 mog_compare_and_swap(u32 *p, u32 old, u32 value)
{
    __atomic_compare_exchange_n(p, &old, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return old;
}
#define COMPARE_AND_SWAP(p, old, value) mog_compare_and_swap(p, old, value)
#define FETCH_ADD(p, v) __atomic_fetch_add(p, v, __ATOMIC_SEQ_CST)
#define FETCH_AND(p, v) __atomic_fetch_and(p, v, __ATOMIC_SEQ_CST)
#define FETCH_OR(p, v) __atomic_fetch_or(p, v, __ATOMIC_SEQ_CST)
#define FETCH_XOR(p, v) __atomic_fetch_xor(p, v, __ATOMIC_SEQ_CST)
#define EXCHANGE(p, v) __atomic_exchange_n(p, v, __ATOMIC_SEQ_CST)
#define FENCED(statement) statement
#define FENCE __atomic_thread_fence(__ATOMIC_SEQ_CST);
#define ACQUIRE __atomic_thread_fence(__ATOMIC_ACQUIRE);

/* A kernel function is called once for each element of the launch. */
#define WORK_ITEM(i) u32 i = work_item;
#define REGISTER_PARAMETER , u32 work_item
#define REGISTER_FILE u32 registers[MOG_NREGS];
#define REG(n) registers[n]
#define LANE_PARAMETER
#define LANE_ARGUMENT
#define REGISTERS_PARAMETER u32 *registers
#define REGISTERS_ARGUMENT registers
#define REGISTERS_MAYBE_UNUSED (void)registers;

/* A PE's slice. */
#define SLICE_FUNCTION static inline

/* Passes, until a condition no longer holds; and what is done then. */
#define PASSES_BEGIN do
#define PASSES_END(condition) while (condition);
#define PASSES_OVER

/* A group of compiled blocks: a function of its own, so that the compiler's work stays in proportion. */
#define GROUP_FUNCTION static __attribute__((noinline)) void
/* What is compiled apart from who calls it. */
#define PART_FUNCTION extern "C" __attribute__((visibility("hidden")))
