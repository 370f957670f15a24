/* dialect_cuda.h: the interpreter's vocabulary in CUDA C++. Compile with --ftz=false, which is nvcc's default.
 * Operations are intrinsics that round to nearest and are never contracted, whatever --fmad, --prec-div and --prec-sqrt
 * say. */
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef int i32;
typedef unsigned long u64;
typedef long i64;
typedef float f32;
typedef double f64;
#define W2F(w) __uint_as_float(w)
#define F2W(f) __float_as_uint(f)
#define W2D(w) __longlong_as_double((long long)(w))
#define D2W(d) ((u64)__double_as_longlong(d))
#define RINTF(x) rintf(x)
#define CEILF(x) ceilf(x)
#define FLOORF(x) floorf(x)
#define RINTD(x) rint(x)
#define CEILD(x) ceil(x)
#define FLOORD(x) floor(x)
#define SQRTF(x) __fsqrt_rn(x)
#define SQRTD(x) __dsqrt_rn(x)
#define ADDF(a, b) __fadd_rn(a, b)
#define SUBF(a, b) __fsub_rn(a, b)
#define MULF(a, b) __fmul_rn(a, b)
#define DIVF(a, b) __fdiv_rn(a, b)
#define ADDD(a, b) __dadd_rn(a, b)
#define SUBD(a, b) __dsub_rn(a, b)
#define MULD(a, b) __dmul_rn(a, b)
#define DIVD(a, b) __ddiv_rn(a, b)
#define CLZ(x) ((u32)__clz((int)(x)))

#define MAYBE_UNUSED [[maybe_unused]]
#define FUNCTION MAYBE_UNUSED static __device__ __forceinline__
#define SEPARATE_FUNCTION MAYBE_UNUSED static __device__ __noinline__
#define KERNEL extern "C" __global__
#define DEVICE_BUFFER
#define CONSTANT_BUFFER const
/* No kernel writes it: cached without a look at what others store. Not constant memory, of which there are 64 KB, and
 * which gives a warp one address at a time, where PEs are at different places in TEXT. */
#define CONSTANT_AT(array, i) __ldg(&(array)[i])
#define DATA_SPACE
/* As in dialect_host.h. A vector of bytes may be where words are. */
FUNCTION u32 mog_load_half(const void *p)
{
    uchar2 half = *(const uchar2 *)p;
    return (u32)half.x | (u32)half.y << 8;
}
#define LOAD_HALF(p) mog_load_half(p)
#define STORE_HALF(p, v) *(uchar2 *)(p) = make_uchar2((u8)(v), (u8)((v) >> 8));
#define ATOMIC_INC(p) atomicAdd(p, 1u)
#define ATOMIC_DEC(p) atomicSub(p, 1u)
/* As in dialect_host.h. */
#define COMPARE_AND_SWAP(p, old, value) atomicCAS(p, old, value)
#define FETCH_ADD(p, v) atomicAdd(p, v)
#define FETCH_AND(p, v) atomicAnd(p, v)
#define FETCH_OR(p, v) atomicOr(p, v)
#define FETCH_XOR(p, v) atomicXor(p, v)
#define EXCHANGE(p, v) atomicExch(p, v)
#define FENCE __threadfence();
#define ACQUIRE FENCE
#define FENCED(statement) FENCE statement FENCE

/* What the host writes while the kernel runs. */
#define NOW_AT(p) (*(const volatile u32 *)(p))
/* A record, perhaps to the host's memory: in few wide stores, and MOG_Q_STOP behind all that came before. */
#define PUBLISH_RECORD(to, q) { \
    uint4 *record = (uint4 *)(to); \
    record[0] = make_uint4(q[0], MOG_STOP_RUNNING, q[2], q[3]); \
    record[1] = make_uint4(q[4], q[5], q[6], q[7]); \
    record[2] = make_uint4(q[8], q[9], q[10], q[11]); \
    record[3] = make_uint4(q[12], q[13], q[14], q[15]); \
    __threadfence_system(); \
    *((volatile u32 *)record + MOG_Q_STOP) = q[MOG_Q_STOP]; }

#define WORK_ITEM(i) u32 i = blockIdx.x * blockDim.x + threadIdx.x;
/* Registers in shared memory, strided by lane: neighbouring lanes never meet in a bank. */
#define REGISTER_PARAMETER
#define REGISTER_FILE extern __shared__ u32 registers[]; u32 lane = threadIdx.x; u32 lanes = blockDim.x;
#define REG(n) registers[(n) * lanes + lane]
#define LANE_PARAMETER
#define LANE_ARGUMENT
#define REGISTERS_PARAMETER u32 *registers, u32 lanes, u32 lane
#define REGISTERS_ARGUMENT registers, lanes, lane
#define REGISTERS_MAYBE_UNUSED (void)registers; (void)lanes; (void)lane;

/* How often a PE may wait for others in a launch, where all lanes have their turns in each pass, and blocks run side by
 * side as far as there is room. REST: a short while, for other warps. */
#define WAITS_IN_LAUNCH 1024u
#if !defined(REST) && (!defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700)
#define REST __nanosleep(64u);
#elif !defined(REST)
#define REST
#endif

/* A PE's slice. */
#define SLICE_FUNCTION static __device__ __forceinline__
/* Since Volta lanes that have parted need not meet again by themselves. The vote makes them, after each pass: those of
 * a warp that go on do so together. Who has stopped says so at once, and stays for the votes until all have; lanes that
 * have left the kernel do not count. */
#define PASSES_BEGIN bool runs = true; do { if (runs)
#define PASSES_END(condition) if (runs && !(condition)) { runs = false;
#define PASSES_OVER } } while (__any_sync(0xffffffffu, runs));

/* Stands where lanes meet: code that no compiler copies, so that none sends each on its own way before it, since it
 * knows where it will go from there. */
#define MEETING asm volatile("");

/* Whether all lanes of the warp are here; the first one's; and whether any of them has something. */
#ifndef ALL_TOGETHER
#define ALL_TOGETHER() (__activemask() == 0xffffffffu)
#define OF_FIRST(r) __shfl_sync(0xffffffffu, r, 0)
#define ANY_OF_ALL(value) __any_sync(0xffffffffu, (value) != 0u)
#endif

/* Of the lanes that are here, whether this one is deepest in calls, where the stack is lowest; and whether it is its
 * turn: those come first that are deepest, of these those at the lowest place, and with them all that stand there
 * (after S. Collange, Stack-less SIMT reconvergence at low cost, 2011). Lanes that are elsewhere have none. */
#if !defined(IS_DEEPEST) && (!defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700)
#define IS_DEEPEST(stack) ((stack) == mog_least(__activemask(), stack))
#define HAS_TURN(stack, place) mog_has_turn(stack, place)
FUNCTION u32 mog_least(u32 here, u32 value)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    return __reduce_min_sync(here, value);
#else
    u32 least = __shfl_sync(here, value, __ffs((int)here) - 1);
    for (;;) {
        u32 less = __ballot_sync(here, value < least);
        if (less == 0u) return least;
        least = __shfl_sync(here, value, __ffs((int)less) - 1);
    }
#endif
}
FUNCTION bool mog_has_turn(u32 stack, u32 place)
{
    u32 here = __activemask();
    int same;
    __match_all_sync(here, place, &same);
    if (same) return true;
    u32 deepest = stack == mog_least(here, stack) ? place : 0xffffffffu;
    return place == mog_least(here, deepest);
}
#endif

/* The lanes that are here access word w of their DATA at `mem`: how many sectors that touches by either layout, and how
 * many of these are not in a cache. Each lane is taken to have four sectors in it, a warp 4 KiB: what 64 of them share
 * of 256 KiB. Laid by words, eight lanes share sectors, and their place; the lowest one that wants it counts. */
#ifdef MOG_COUNT_SECTORS
FUNCTION void mog_count_sector(u32 *counts, u32 *tag, u32 sector)
{
    unsigned long long *numbers = (unsigned long long *)counts;
    numbers[0]++;
    if (*tag == sector + 1u) return;
    *tag = sector + 1u;
    numbers[1]++;
}
MAYBE_UNUSED static __device__ __noinline__ void mog_count_word(u32 *mem, u32 w)
{
    u32 *tags = mem - (size_t)MOG_L_WORDS * MOG_WARP, *counts = mem - (size_t)MOG_L_COUNTS * MOG_WARP;
    u32 lane = threadIdx.x & (MOG_WARP - 1u), in_eight = lane & 7u;
    u32 same = __match_any_sync(__activemask(), w) >> (lane - in_eight) & 0xffu;
    mog_count_sector(counts + 4, tags + (w / MOG_SECTOR_WORDS & 3u), w / MOG_SECTOR_WORDS);
    if (in_eight == (u32)__ffs((int)same) - 1u)
        mog_count_sector(counts, tags + (int)((w >> 2 & 7u) - in_eight) * (int)MOG_SECTOR_WORDS + 4 + (w & 3u), w);
}
#endif

/* A group of compiled blocks: a function of its own, so that the compiler's work stays in proportion. */
#define GROUP_FUNCTION static __device__ __noinline__ void
/* What is compiled apart from who calls it. */
#define PART_FUNCTION extern "C" __device__
