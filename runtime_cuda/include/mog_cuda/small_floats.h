/* small_floats.h: what half precision and bfloat16 have in common: a type of 16 bits, two of them as one, and functions by CUDA's names. */
#pragma once

#include "mog_cuda/functions.h"

namespace mog_cuda {

/* To nearest, ties to even. */
MOG_CUDA_BOTH unsigned short half_of_float(float x) {
#ifdef __CUDA_ARCH__
    return (unsigned short)__nvvm_f2h_rn(x);
#else
    unsigned bits;
    __builtin_memcpy(&bits, &x, 4);
    const unsigned sign = bits >> 16 & 0x8000;
    bits &= 0x7fffffff;
    if (bits > 0x7f800000) return (unsigned short)(sign | 0x7fff);
    if (bits >= 0x477ff000) return (unsigned short)(sign | 0x7c00);
    if (bits < 0x38800000) {  // becomes a denormal: in units of 2^-24
        const float scaled = __builtin_fabsf(x) * 0x1p24f, whole = (scaled + 0x1p23f) - 0x1p23f;
        return (unsigned short)(sign | (unsigned)whole);
    }
    return (unsigned short)(sign | ((bits - 0x38000000 + 0xfff + (bits >> 13 & 1)) >> 13));
#endif
}
MOG_CUDA_BOTH float float_of_half(unsigned short half) {
#ifdef __CUDA_ARCH__
    float x;
    asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(half));
    return x;
#else
    const unsigned sign = (half & 0x8000u) << 16, exponent = half >> 10 & 31, fraction = half & 0x3ff;
    if (exponent == 0) return (sign ? -1.0f : 1.0f) * (float)fraction * 0x1p-24f;
    const unsigned bits = sign | (exponent == 31 ? 0x7f800000 : (exponent + 112) << 23) | fraction << 13;
    float x;
    __builtin_memcpy(&x, &bits, 4);
    return x;
#endif
}
MOG_CUDA_BOTH unsigned short bfloat_of_float(float x) {
    unsigned bits;
    __builtin_memcpy(&bits, &x, 4);
    if ((bits & 0x7fffffff) > 0x7f800000) return 0x7fff;
    return (unsigned short)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
MOG_CUDA_BOTH float float_of_bfloat(unsigned short small) {
    const unsigned bits = (unsigned)small << 16;
    float x;
    __builtin_memcpy(&x, &bits, 4);
    return x;
}

}  // namespace mog_cuda

#define MOG_CUDA_SMALL_FLOAT(one, two, raw, from_float, to_float)                                                                \
    struct one {                                                                                                                 \
        unsigned short bits;                                                                                                     \
        one() = default;                                                                                                         \
        __host__ __device__ one(float x) : bits(from_float(x)) {}                                                                \
        __host__ __device__ one(double x) : bits(from_float((float)x)) {}                                                        \
        __host__ __device__ one(int x) : bits(from_float((float)x)) {}                                                           \
        __host__ __device__ one(unsigned x) : bits(from_float((float)x)) {}                                                      \
        __host__ __device__ one(raw x) : bits(x.x) {}                                                                            \
        __host__ __device__ operator float() const { return to_float(bits); }                                                    \
        __host__ __device__ operator raw() const { return raw{bits}; }                                                           \
    };                                                                                                                           \
    struct __attribute__((aligned(4))) two {                                                                                     \
        one x, y;                                                                                                                \
        two() = default;                                                                                                         \
        __host__ __device__ two(one low, one high) : x(low), y(high) {}                                                          \
    };                                                                                                                           \
    MOG_CUDA_SMALL_OPERATOR(one, two, +, __hadd, __hadd2)                                                                        \
    MOG_CUDA_SMALL_OPERATOR(one, two, -, __hsub, __hsub2)                                                                        \
    MOG_CUDA_SMALL_OPERATOR(one, two, *, __hmul, __hmul2)                                                                        \
    MOG_CUDA_SMALL_OPERATOR(one, two, /, __hdiv, __h2div)                                                                        \
    MOG_CUDA_BOTH one operator-(one x) { return one(raw{(unsigned short)(x.bits ^ 0x8000)}); }                                   \
    MOG_CUDA_BOTH one __hneg(one x) { return -x; }                                                                               \
    MOG_CUDA_BOTH two __hneg2(two x) { return two(-x.x, -x.y); }                                                                 \
    MOG_CUDA_BOTH one __habs(one x) { return one(raw{(unsigned short)(x.bits & 0x7fff)}); }                                      \
    MOG_CUDA_BOTH two __habs2(two x) { return two(__habs(x.x), __habs(x.y)); }                                                   \
    MOG_CUDA_BOTH bool __hisnan(one x) { return (float)x != (float)x; }                                                          \
    MOG_CUDA_BOTH int __hisinf(one x) { return (float)x == __builtin_inff() ? 1 : (float)x == -__builtin_inff() ? -1 : 0; }      \
    MOG_CUDA_BOTH two __hisnan2(two x) { return two(one(__hisnan(x.x) ? 1.0f : 0.0f), one(__hisnan(x.y) ? 1.0f : 0.0f)); }       \
    MOG_CUDA_SMALL_COMPARISON(one, two, ==, eq)                                                                                  \
    MOG_CUDA_SMALL_COMPARISON(one, two, !=, ne)                                                                                  \
    MOG_CUDA_SMALL_COMPARISON(one, two, <, lt)                                                                                   \
    MOG_CUDA_SMALL_COMPARISON(one, two, <=, le)                                                                                  \
    MOG_CUDA_SMALL_COMPARISON(one, two, >, gt)                                                                                   \
    MOG_CUDA_SMALL_COMPARISON(one, two, >=, ge)                                                                                  \
    MOG_CUDA_BOTH one __hmin(one x, one y) { return __hisnan(y) || (float)x < (float)y ? x : y; }                                \
    MOG_CUDA_BOTH one __hmax(one x, one y) { return __hisnan(y) || (float)x > (float)y ? x : y; }                                \
    MOG_CUDA_BOTH two __hmin2(two x, two y) { return two(__hmin(x.x, y.x), __hmin(x.y, y.y)); }                                  \
    MOG_CUDA_BOTH two __hmax2(two x, two y) { return two(__hmax(x.x, y.x), __hmax(x.y, y.y)); }                                  \
    /* Products of two of them are exact in doubles, and sums with a third are rounded there in a place that does not matter. */ \
    MOG_CUDA_BOTH one __hfma(one x, one y, one z) { return mog_cuda_narrow(one(), (double)(float)x * (float)y + (float)z); }     \
    MOG_CUDA_BOTH two __hfma2(two x, two y, two z) { return two(__hfma(x.x, y.x, z.x), __hfma(x.y, y.y, z.y)); }                 \
    /* Between 0 and 1, and 0 for NaN. */                                                                                        \
    MOG_CUDA_BOTH one mog_cuda_saturated(one x) { return (float)x > 0 ? (float)x < 1 ? x : one(1.0f) : one(0.0f); }              \
    MOG_CUDA_BOTH two mog_cuda_saturated(two x) { return two(mog_cuda_saturated(x.x), mog_cuda_saturated(x.y)); }                \
    MOG_CUDA_BOTH one __hadd_sat(one x, one y) { return mog_cuda_saturated(x + y); }                                             \
    MOG_CUDA_BOTH one __hsub_sat(one x, one y) { return mog_cuda_saturated(x - y); }                                             \
    MOG_CUDA_BOTH one __hmul_sat(one x, one y) { return mog_cuda_saturated(x * y); }                                             \
    MOG_CUDA_BOTH one __hfma_sat(one x, one y, one z) { return mog_cuda_saturated(__hfma(x, y, z)); }                            \
    MOG_CUDA_BOTH two __hadd2_sat(two x, two y) { return mog_cuda_saturated(x + y); }                                            \
    MOG_CUDA_BOTH two __hsub2_sat(two x, two y) { return mog_cuda_saturated(x - y); }                                            \
    MOG_CUDA_BOTH two __hmul2_sat(two x, two y) { return mog_cuda_saturated(x * y); }                                            \
    MOG_CUDA_BOTH two __hfma2_sat(two x, two y, two z) { return mog_cuda_saturated(__hfma2(x, y, z)); }                          \
    MOG_CUDA_BOTH one mog_cuda_not_negative(one x) { return (float)x < 0 ? one(0.0f) : x; }                                      \
    MOG_CUDA_BOTH one __hfma_relu(one x, one y, one z) { return mog_cuda_not_negative(__hfma(x, y, z)); }                        \
    MOG_CUDA_BOTH two __hfma2_relu(two x, two y, two z) { return two(__hfma_relu(x.x, y.x, z.x), __hfma_relu(x.y, y.y, z.y)); }  \
    MOG_CUDA_BOTH one __hmin_nan(one x, one y) { return __hisnan(x) ? x : __hisnan(y) ? y : __hmin(x, y); }                      \
    MOG_CUDA_BOTH one __hmax_nan(one x, one y) { return __hisnan(x) ? x : __hisnan(y) ? y : __hmax(x, y); }                      \
    MOG_CUDA_BOTH two __hmin2_nan(two x, two y) { return two(__hmin_nan(x.x, y.x), __hmin_nan(x.y, y.y)); }                      \
    MOG_CUDA_BOTH two __hmax2_nan(two x, two y) { return two(__hmax_nan(x.x, y.x), __hmax_nan(x.y, y.y)); }                      \
    MOG_CUDA_SMALL_FUNCTION(one, two, sqrt)                                                                                      \
    MOG_CUDA_SMALL_FUNCTION(one, two, rsqrt)                                                                                     \
    MOG_CUDA_SMALL_FUNCTION(one, two, exp)                                                                                       \
    MOG_CUDA_SMALL_FUNCTION(one, two, exp2)                                                                                      \
    MOG_CUDA_SMALL_FUNCTION(one, two, log)                                                                                       \
    MOG_CUDA_SMALL_FUNCTION(one, two, log2)                                                                                      \
    MOG_CUDA_SMALL_FUNCTION(one, two, sin)                                                                                       \
    MOG_CUDA_SMALL_FUNCTION(one, two, cos)                                                                                       \
    MOG_CUDA_SMALL_FUNCTION(one, two, floor)                                                                                     \
    MOG_CUDA_SMALL_FUNCTION(one, two, ceil)                                                                                      \
    MOG_CUDA_SMALL_FUNCTION(one, two, trunc)                                                                                     \
    MOG_CUDA_SMALL_FUNCTION(one, two, rint)                                                                                      \
    MOG_CUDA_SMALL_TOGETHER(one, two)

/* A double as one, rounded once: by way of a float that is rounded to odd, whose last bit tells of all that is cut off. */
template <typename One>
MOG_CUDA_BOTH One mog_cuda_narrow(One, double x) {
    float near = (float)x;
    if ((double)near != x && near == near && __builtin_fabsf(near) < __builtin_inff()) {
        unsigned bits;
        __builtin_memcpy(&bits, &near, 4);
        const bool away = (near < 0 ? -(double)near : (double)near) > (x < 0 ? -x : x);
        if (away) bits--;
        bits |= 1;
        __builtin_memcpy(&near, &bits, 4);
    }
    return One(near);
}

#define MOG_CUDA_SMALL_OPERATOR(one, two, sign, name, name2)                                  \
    MOG_CUDA_BOTH one operator sign(one x, one y) { return one((float)x sign(float) y); }     \
    MOG_CUDA_BOTH one &operator sign##=(one &x, one y) { return x = x sign y; }               \
    MOG_CUDA_BOTH one name(one x, one y) { return x sign y; }                                 \
    MOG_CUDA_BOTH two operator sign(two x, two y) { return two(x.x sign y.x, x.y sign y.y); } \
    MOG_CUDA_BOTH two &operator sign##=(two &x, two y) { return x = x sign y; }               \
    MOG_CUDA_BOTH two name2(two x, two y) { return x sign y; }
/* By operators NaN is as in C; by names no comparison with one holds, and with u behind the name each does. Of pairs there are two answers,
   as 1 and 0, or one whether it holds for both. */
#define MOG_CUDA_SMALL_COMPARISON(one, two, sign, name)                                              \
    MOG_CUDA_BOTH bool operator sign(one x, one y) { return (float)x sign(float) y; }                \
    MOG_CUDA_BOTH bool __h##name(one x, one y) { return !__hisnan(x) && !__hisnan(y) && x sign y; }  \
    MOG_CUDA_BOTH bool __h##name##u(one x, one y) { return __hisnan(x) || __hisnan(y) || x sign y; } \
    MOG_CUDA_SMALL_PAIRS(one, two, __h##name, __h##name##2, __hb##name##2)                           \
    MOG_CUDA_SMALL_PAIRS(one, two, __h##name##u, __h##name##u2, __hb##name##u2)                      \
    MOG_CUDA_BOTH bool operator sign(two x, two y) { return x.x sign y.x && x.y sign y.y; }
#define MOG_CUDA_SMALL_PAIRS(one, two, name, each, both)                                                                       \
    MOG_CUDA_BOTH two each(two x, two y) { return two(one(name(x.x, y.x) ? 1.0f : 0.0f), one(name(x.y, y.y) ? 1.0f : 0.0f)); } \
    MOG_CUDA_BOTH bool both(two x, two y) { return name(x.x, y.x) && name(x.y, y.y); }
#define MOG_CUDA_SMALL_FUNCTION(one, two, name)                                  \
    MOG_CUDA_DEVICE one h##name(one x) { return one(mog_cuda::name((float)x)); } \
    MOG_CUDA_DEVICE two h2##name(two x) { return two(h##name(x.x), h##name(x.y)); }

/* Shuffles, loads and sums in memory. */
#define MOG_CUDA_SMALL_SHUFFLE(one, two, name, other)                                           \
    MOG_CUDA_DEVICE one name(unsigned mask, one x, other by, int width = 32) {                  \
        x.bits = (unsigned short)name(mask, (unsigned)x.bits, by, width);                       \
        return x;                                                                               \
    }                                                                                           \
    MOG_CUDA_DEVICE two name(unsigned mask, two x, other by, int width = 32) {                  \
        return __builtin_bit_cast(two, name(mask, __builtin_bit_cast(unsigned, x), by, width)); \
    }
#define MOG_CUDA_SMALL_TOGETHER(one, two)                                                                                         \
    MOG_CUDA_SMALL_SHUFFLE(one, two, __shfl_sync, int)                                                                            \
    MOG_CUDA_SMALL_SHUFFLE(one, two, __shfl_up_sync, unsigned)                                                                    \
    MOG_CUDA_SMALL_SHUFFLE(one, two, __shfl_down_sync, unsigned)                                                                  \
    MOG_CUDA_SMALL_SHUFFLE(one, two, __shfl_xor_sync, int)                                                                        \
    MOG_CUDA_DEVICE one __ldg(const one *place) { return *place; }                                                                \
    MOG_CUDA_DEVICE two __ldg(const two *place) { return *place; }                                                                \
    MOG_CUDA_DEVICE one atomicAdd(one *place, one value) {                                                                        \
        unsigned short *bits = &place->bits, before = *(volatile unsigned short *)bits, seen;                                     \
        one sum;                                                                                                                  \
        while (sum.bits = before, sum += value, (seen = atomicCAS(bits, before, sum.bits)) != before) before = seen;              \
        sum.bits = before;                                                                                                        \
        return sum;                                                                                                               \
    }                                                                                                                             \
    MOG_CUDA_DEVICE two atomicAdd(two *place, two value) {                                                                        \
        unsigned *bits = (unsigned *)place, before = *(volatile unsigned *)bits, seen;                                            \
        while ((seen = atomicCAS(bits, before, __builtin_bit_cast(unsigned, __builtin_bit_cast(two, before) + value))) != before) \
            before = seen;                                                                                                        \
        return __builtin_bit_cast(two, before);                                                                                   \
    }
