/* dialect_opencl.h: the interpreter's vocabulary in OpenCL C 1.2, core features only (fp64 where doubles are
 * native). */
#pragma OPENCL FP_CONTRACT OFF
#ifdef MOG_NATIVE_F64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double f64;
#define W2D(w) as_double((ulong)(w))
#define D2W(d) as_ulong((double)(d))
#define ADDD(a, b) ((a) + (b))
#define SUBD(a, b) ((a) - (b))
#define MULD(a, b) ((a) * (b))
#define DIVD(a, b) ((a) / (b))
#define SQRTD(x) sqrt(x)
#define RINTD(x) rint(x)
#define CEILD(x) ceil(x)
#define FLOORD(x) floor(x)
#endif
typedef uchar u8;
typedef ushort u16;
typedef uint u32;
typedef int i32;
typedef ulong u64;
typedef long i64;
typedef float f32;
#define W2F(w) as_float((uint)(w))
#define F2W(f) as_uint((float)(f))
#define RINTF(x) rint(x)
#define CEILF(x) ceil(x)
#define FLOORF(x) floor(x)
#define UNORDEREDF(a, b) isunordered(W2F(a), W2F(b))
#define UNORDEREDD(a, b) isunordered(W2D(a), W2D(b))
#define CLZ(x) clz((uint)(x))
#define ADDF(a, b) ((a) + (b))
#define SUBF(a, b) ((a) - (b))
#define MULF(a, b) ((a) * (b))
/* The runtime asks for correctly rounded division and root where the device has them. Elsewhere it says how else: by
 * double, which has more than twice a float's precision plus two bits, so rounding twice is exact; or by
 * soft_float.h. */
#ifdef MOG_DIVF_BY_DOUBLE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define DIVF(a, b) ((float)((double)(a) / (double)(b)))
#define SQRTF(x) ((float)sqrt((double)(x)))
#else
#define DIVF(a, b) ((a) / (b))
#define SQRTF(x) sqrt(x)
#endif

#define MAYBE_UNUSED __attribute__((unused))
#define FUNCTION MAYBE_UNUSED static inline
#define KERNEL __kernel
#define DEVICE_BUFFER __global
#define CONSTANT_BUFFER __global const
#define DATA_SPACE __global
/* As in dialect_host.h. A vector of bytes may be where words are. */
#define LOAD_HALF(p) ((u32)as_ushort(*(__global const uchar2 *)(p)))
#define STORE_HALF(p, v) *(__global uchar2 *)(p) = as_uchar2((u16)(v));
#define ATOMIC_INC(p) atomic_inc(p)
#define ATOMIC_DEC(p) atomic_dec(p)
/* As in dialect_host.h. A fence of OpenCL 1.2 orders what one work-item does; on CPUs, whose stores are seen late,
 * clang has one that waits for them. */
#define COMPARE_AND_SWAP(p, old, value) atomic_cmpxchg(p, old, value)
#define FETCH_ADD(p, v) atomic_add(p, v)
#define FETCH_AND(p, v) atomic_and(p, v)
#define FETCH_OR(p, v) atomic_or(p, v)
#define FETCH_XOR(p, v) atomic_xor(p, v)
#define EXCHANGE(p, v) atomic_xchg(p, v)
#if defined(MOG_CPU) && defined(__has_builtin)
#if __has_builtin(__c11_atomic_thread_fence)
#define FENCE __c11_atomic_thread_fence(__ATOMIC_SEQ_CST);
#define ACQUIRE __c11_atomic_thread_fence(__ATOMIC_ACQUIRE);
#ifdef __x86_64__ /* what is locked is a fence; the compiler shall not move anything over it */
#define FENCED(statement) \
    __c11_atomic_signal_fence(__ATOMIC_SEQ_CST); statement __c11_atomic_signal_fence(__ATOMIC_SEQ_CST);
#endif
#endif
#endif
#ifndef FENCE
#define FENCE mem_fence(CLK_GLOBAL_MEM_FENCE);
#define ACQUIRE FENCE
#endif
#ifndef FENCED
#define FENCED(statement) FENCE statement FENCE
#endif

/* Which element of the launch this work-item is. */
#ifdef MOG_HOST_MEMORY
/* One PE after the other on a CPU: registers are private. */
#define WORK_ITEM(i) u32 i = (u32)get_global_id(0);
#define REGISTER_PARAMETER
#ifndef MOG_MOST_REGS
#define MOG_MOST_REGS MOG_NREGS
#endif
#define REGISTER_FILE u32 registers[MOG_MOST_REGS];
#define REG(n) registers[n]
#define LANE_PARAMETER
#define LANE_ARGUMENT
#define REGISTERS_PARAMETER u32 *registers
#define REGISTERS_ARGUMENT registers
#define REGISTERS_MAYBE_UNUSED (void)registers;
#else
/* Registers in local memory, strided by lane: neighbouring lanes never meet in a bank. Not every kernel has a use for
 * them. */
#define WORK_ITEM(i) u32 i = (u32)get_global_id(0); (void)registers;
#define REGISTER_PARAMETER , __local u32 *registers
#define REGISTER_FILE
#define REG(n) registers[(n) * lanes + lane]
#define LANE_PARAMETER , __local u32 *registers, u32 lanes, u32 lane
#define LANE_ARGUMENT , registers, (u32)get_local_size(0), (u32)get_local_id(0)
#define REGISTERS_PARAMETER __local u32 *registers, u32 lanes, u32 lane
#define REGISTERS_ARGUMENT registers, lanes, lane
#define REGISTERS_MAYBE_UNUSED (void)registers; (void)lanes; (void)lane;
#endif

/* As in dialect_cuda.h: code that no compiler copies, of those that take assembly. */
#ifdef __AMDGCN__
#define MEETING __asm__ volatile("");
#endif

/* A PE's slice. On a CPU it is a function, for PoCL makes three copies of a kernel and compiles them all. */
#ifdef MOG_CPU
#define SLICE_FUNCTION static __attribute__((noinline))
#else
#define SLICE_FUNCTION static inline
#endif

/* Passes, until a condition no longer holds. */
#define PASSES_BEGIN do
#define PASSES_END(condition) while (condition);
#define PASSES_OVER

/* Calls a function of the host, whose processor the device is: by System V's ABI for x86-64, below what the caller may
 * have under its stack pointer. That is how kernels reach what the host compiles while they run; OpenCL C has no such
 * pointers. */
#ifdef MOG_CALLS_HOST
#ifdef __AVX512F__
#define MORE_VECTORS , "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25", \
    "xmm26", "xmm27", "xmm28", "xmm29", "xmm30", "xmm31", "k0", "k1", "k2", "k3", "k4", "k5", "k6", "k7"
#else
#define MORE_VECTORS
#endif
FUNCTION void mog_call_host(u64 function, u64 a, u64 b, u64 c, u64 d)
{
    __asm__ volatile(
        "movq %%rsp, %%r12\n\tsubq $128, %%rsp\n\tandq $-64, %%rsp\n\tcallq *%%rax\n\tmovq %%r12, %%rsp"
        : "+a"(function), "+D"(a), "+S"(b), "+d"(c), "+c"(d)
        :
        : "memory", "cc", "r8", "r9", "r10", "r11", "r12", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6",
          "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15" MORE_VECTORS);
}
#endif

/* A group of compiled blocks: a function of its own, so that the compiler's work stays in proportion. */
#define GROUP_FUNCTION static __attribute__((noinline)) void
