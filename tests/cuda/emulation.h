/* emulation.h: what a kernel finds when it is compiled for the emulation: CUDA's words, in plain C++ without any header.
 *
 * The part above __CUDACC_RTC__ is what kernels and emulation agree on. `__global__` and `__shared__` are none of these
 * words: emulated_nvrtc.cpp rewrites them. */
#pragma once

struct MogIndex {
    unsigned x, y, z;
};

/* A thread of a block. */
struct MogLane {
    MogIndex thread, block, block_size, grid_size;
    void *shared;
};

/* Where lanes meet. */
enum MogMeeting { MOG_MEET_VOTE, MOG_MEET_LEAST, MOG_MEET_SHUFFLE, MOG_MEET_WARP, MOG_MEET_BLOCK };

/* What the emulation does for kernels. `meet` gives the lanes of `mask` whose value is not 0; their least value; or that of lane
 * `from`. */
struct MogEmulation {
    const MogLane *(*lane)();
    unsigned (*meet)(MogMeeting where, unsigned mask, unsigned value, unsigned from);
    void (*fence_system)();
};

/* What it knows of a kernel: the sizes of its parameters, and a function that calls it with those that stand at `values`. */
struct MogKernel {
    unsigned count;
    const unsigned *sizes;
    void (*call)(void *const *values);
};

#ifdef __CUDACC_RTC__
extern "C" {
extern const MogEmulation *mog_emulation;
const MogEmulation *mog_emulation;
float rintf(float);
float ceilf(float);
float floorf(float);
float truncf(float);
float fabsf(float);
float sqrtf(float);
float fmaf(float, float, float);
double rint(double);
double ceil(double);
double floor(double);
double trunc(double);
double fabs(double);
double sqrt(double);
double fma(double, double, double);
}
typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;

#ifdef MOG_EMULATION_RACES
/* ThreadSanitizer: -fsanitize=thread calls these where a word is volatile, which on a device is read and written whole. */
extern "C" {
__attribute__((visibility("hidden"), no_sanitize_thread)) void __tsan_volatile_read1(void *) {}
__attribute__((visibility("hidden"), no_sanitize_thread)) void __tsan_volatile_read2(void *) {}
__attribute__((visibility("hidden"), no_sanitize_thread)) void __tsan_volatile_read4(void *) {}
__attribute__((visibility("hidden"), no_sanitize_thread)) void __tsan_volatile_read8(void *) {}
__attribute__((visibility("hidden"), no_sanitize_thread)) void __tsan_volatile_write1(void *) {}
__attribute__((visibility("hidden"), no_sanitize_thread)) void __tsan_volatile_write2(void *) {}
__attribute__((visibility("hidden"), no_sanitize_thread)) void __tsan_volatile_write4(void *) {}
__attribute__((visibility("hidden"), no_sanitize_thread)) void __tsan_volatile_write8(void *) {}
}
#endif

template <typename... Values> struct MogCall {
    /* Within braces parameters are evaluated from left to right. */
    MogCall(void (*kernel)(Values...), Values... values) { kernel(values...); }
};
template <auto kernel> struct MogTrampoline;
/* Hidden, or a module would find the sizes of another one's kernel of the same name, and could not be unloaded. */
template <typename... Values, void (*kernel)(Values...)> struct __attribute__((visibility("hidden"))) MogTrampoline<kernel> {
    static constexpr unsigned sizes[sizeof...(Values) + 1] = {sizeof(Values)...};
    static void call(void *const *values) { MogCall<Values...>{kernel, *static_cast<Values *>(*values++)...}; }
};
template <auto kernel>
constexpr MogKernel mog_trampoline = {sizeof(MogTrampoline<kernel>::sizes) / sizeof(unsigned) - 1, MogTrampoline<kernel>::sizes,
                                      MogTrampoline<kernel>::call};

#define __device__
#define __host__
#define __constant__ const
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...)
#define __restrict__ __restrict
#define MOG_WORD static inline __attribute__((always_inline, unused))

#define threadIdx (mog_emulation->lane()->thread)
#define blockIdx (mog_emulation->lane()->block)
#define blockDim (mog_emulation->lane()->block_size)
#define gridDim (mog_emulation->lane()->grid_size)
static const int warpSize = 32;

MOG_WORD unsigned __ballot_sync(unsigned mask, int value) { return mog_emulation->meet(MOG_MEET_VOTE, mask, value != 0, 0); }
MOG_WORD int __any_sync(unsigned mask, int value) { return __ballot_sync(mask, value) != 0; }
MOG_WORD int __all_sync(unsigned mask, int value) { return __ballot_sync(mask, !value) == 0; }
/* A copy of a loop for lanes that agree (form_warp.h) is right for each of them: it runs as a warp of its own. */
#define ALL_TOGETHER() 1
#define OF_FIRST(r) (r)
#define ANY_OF_ALL(value) ((value) != 0u)
/* Nobody knows who else is here: each has its turn, and reserves (reserve.h) by itself. */
#define IS_DEEPEST(stack) 1
#define HAS_TURN(stack, place) 1
/* Lanes have their turns where they meet. */
#define REST
#define LANES_AT(word) (1u << (threadIdx.x & 31u))
#if __CUDA_ARCH__ >= 800
MOG_WORD unsigned __reduce_min_sync(unsigned mask, unsigned value) { return mog_emulation->meet(MOG_MEET_LEAST, mask, value, 0); }
#endif
MOG_WORD unsigned __shfl_sync(unsigned mask, unsigned value, int from)
{
    return mog_emulation->meet(MOG_MEET_SHUFFLE, mask, value, static_cast<unsigned>(from) & 31u);
}
MOG_WORD void __syncwarp(unsigned mask = 0xffffffffu) { mog_emulation->meet(MOG_MEET_WARP, mask, 0, 0); }
MOG_WORD void __syncthreads() { mog_emulation->meet(MOG_MEET_BLOCK, 0, 0, 0); }
MOG_WORD void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
MOG_WORD void __threadfence_block() { __threadfence(); }
MOG_WORD void __threadfence_system()
{
    __threadfence();
    mog_emulation->fence_system();
}

#define MOG_ATOMIC(name, operation, type) \
    MOG_WORD type name(type *at, type value) { return operation(at, value, __ATOMIC_RELAXED); }
#define MOG_ATOMICS(name, operation) \
    MOG_ATOMIC(name, operation, int) MOG_ATOMIC(name, operation, unsigned) MOG_ATOMIC(name, operation, unsigned long long)
MOG_ATOMICS(atomicAdd, __atomic_fetch_add)
MOG_ATOMICS(atomicExch, __atomic_exchange_n)
MOG_ATOMICS(atomicAnd, __atomic_fetch_and)
MOG_ATOMICS(atomicOr, __atomic_fetch_or)
MOG_ATOMICS(atomicXor, __atomic_fetch_xor)
MOG_ATOMIC(atomicSub, __atomic_fetch_sub, int)
MOG_ATOMIC(atomicSub, __atomic_fetch_sub, unsigned)
MOG_WORD unsigned atomicCAS(unsigned *at, unsigned expected, unsigned value)
{
    __atomic_compare_exchange_n(at, &expected, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    return expected;
}

#define MOG_FLOATS(letter, type, root)                                                              \
    MOG_WORD type __##letter##add_rn(type a, type b) { return a + b; }                              \
    MOG_WORD type __##letter##sub_rn(type a, type b) { return a - b; }                              \
    MOG_WORD type __##letter##mul_rn(type a, type b) { return a * b; }                              \
    MOG_WORD type __##letter##div_rn(type a, type b) { return a / b; }                              \
    MOG_WORD type __##letter##sqrt_rn(type a) { return root(a); }
MOG_FLOATS(f, float, __builtin_sqrtf)
MOG_FLOATS(d, double, __builtin_sqrt)
MOG_WORD float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
MOG_WORD double __fma_rn(double a, double b, double c) { return fma(a, b, c); }

#define MOG_BITS(name, to, from)                                                                    \
    MOG_WORD to name(from a)                                                                        \
    {                                                                                               \
        to bits;                                                                                    \
        __builtin_memcpy(&bits, &a, sizeof bits);                                                   \
        return bits;                                                                                \
    }
MOG_BITS(__uint_as_float, float, unsigned)
MOG_BITS(__float_as_uint, unsigned, float)
MOG_BITS(__int_as_float, float, int)
MOG_BITS(__float_as_int, int, float)
MOG_BITS(__longlong_as_double, double, long long)
MOG_BITS(__double_as_longlong, long long, double)

MOG_WORD int __clz(int a) { return a ? __builtin_clz(static_cast<unsigned>(a)) : 32; }
MOG_WORD int __clzll(long long a) { return a ? __builtin_clzll(static_cast<unsigned long long>(a)) : 64; }
MOG_WORD int __ffs(int a) { return __builtin_ffs(a); }
MOG_WORD int __popc(unsigned a) { return __builtin_popcount(a); }
MOG_WORD unsigned __umulhi(unsigned a, unsigned b) { return static_cast<unsigned>((static_cast<unsigned long long>(a) * b) >> 32); }
MOG_WORD int __mulhi(int a, int b) { return static_cast<int>((static_cast<long long>(a) * b) >> 32); }
MOG_WORD unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift)
{
    return static_cast<unsigned>(((static_cast<unsigned long long>(high) << 32) | low) >> (shift & 31));
}
MOG_WORD unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift)
{
    return static_cast<unsigned>((((static_cast<unsigned long long>(high) << 32) | low) << (shift & 31)) >> 32);
}
struct uchar2 {
    unsigned char x, y;
} __attribute__((aligned(2), may_alias));
MOG_WORD uchar2 make_uchar2(unsigned char x, unsigned char y) { return {x, y}; }
struct uint4 {
    unsigned x, y, z, w;
} __attribute__((aligned(16)));
MOG_WORD uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) { return {x, y, z, w}; }
template <typename T> MOG_WORD T __ldg(const T *at) { return *at; }
MOG_WORD unsigned min(unsigned a, unsigned b) { return a < b ? a : b; }
MOG_WORD unsigned max(unsigned a, unsigned b) { return a > b ? a : b; }
MOG_WORD int min(int a, int b) { return a < b ? a : b; }
MOG_WORD int max(int a, int b) { return a > b ? a : b; }
#endif
