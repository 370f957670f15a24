/* intrinsics.h: functions of kernels that are an instruction or a few: rounding modes, conversions, bits, fast mathematics, cached loads.
 */
#pragma once

#include "mog_cuda/functions.h"

/* + - * / fma sqrt 1/x in four rounding modes, of floats (f) and doubles (d). */
#define MOG_CUDA_ROUNDED(mode, ptx)                                                                             \
    MOG_CUDA_DEVICE float __fadd_##mode(float x, float y) { return __nvvm_add_##ptx##_f(x, y); }                \
    MOG_CUDA_DEVICE float __fsub_##mode(float x, float y) { return __nvvm_add_##ptx##_f(x, -y); }               \
    MOG_CUDA_DEVICE float __fmul_##mode(float x, float y) { return __nvvm_mul_##ptx##_f(x, y); }                \
    MOG_CUDA_DEVICE float __fdiv_##mode(float x, float y) { return __nvvm_div_##ptx##_f(x, y); }                \
    MOG_CUDA_DEVICE float __fmaf_##mode(float x, float y, float z) { return __nvvm_fma_##ptx##_f(x, y, z); }    \
    MOG_CUDA_DEVICE float __frcp_##mode(float x) { return __nvvm_rcp_##ptx##_f(x); }                            \
    MOG_CUDA_DEVICE float __fsqrt_##mode(float x) { return __nvvm_sqrt_##ptx##_f(x); }                          \
    MOG_CUDA_DEVICE double __dadd_##mode(double x, double y) { return __nvvm_add_##ptx##_d(x, y); }             \
    MOG_CUDA_DEVICE double __dsub_##mode(double x, double y) { return __nvvm_add_##ptx##_d(x, -y); }            \
    MOG_CUDA_DEVICE double __dmul_##mode(double x, double y) { return __nvvm_mul_##ptx##_d(x, y); }             \
    MOG_CUDA_DEVICE double __ddiv_##mode(double x, double y) { return __nvvm_div_##ptx##_d(x, y); }             \
    MOG_CUDA_DEVICE double __fma_##mode(double x, double y, double z) { return __nvvm_fma_##ptx##_d(x, y, z); } \
    MOG_CUDA_DEVICE double __drcp_##mode(double x) { return __nvvm_rcp_##ptx##_d(x); }                          \
    MOG_CUDA_DEVICE double __dsqrt_##mode(double x) { return __nvvm_sqrt_##ptx##_d(x); }
MOG_CUDA_ROUNDED(rn, rn)
MOG_CUDA_ROUNDED(rz, rz)
MOG_CUDA_ROUNDED(rd, rm)
MOG_CUDA_ROUNDED(ru, rp)
#undef MOG_CUDA_ROUNDED

/* Conversions: the name of the mode for CUDA and for PTX. */
#define MOG_CUDA_CONVERTED(mode, ptx)                                                                  \
    MOG_CUDA_DEVICE int __float2int_##mode(float x) { return __nvvm_f2i_##ptx(x); }                    \
    MOG_CUDA_DEVICE unsigned __float2uint_##mode(float x) { return __nvvm_f2ui_##ptx(x); }             \
    MOG_CUDA_DEVICE long long __float2ll_##mode(float x) { return __nvvm_f2ll_##ptx(x); }              \
    MOG_CUDA_DEVICE unsigned long long __float2ull_##mode(float x) { return __nvvm_f2ull_##ptx(x); }   \
    MOG_CUDA_DEVICE int __double2int_##mode(double x) { return __nvvm_d2i_##ptx(x); }                  \
    MOG_CUDA_DEVICE unsigned __double2uint_##mode(double x) { return __nvvm_d2ui_##ptx(x); }           \
    MOG_CUDA_DEVICE long long __double2ll_##mode(double x) { return __nvvm_d2ll_##ptx(x); }            \
    MOG_CUDA_DEVICE unsigned long long __double2ull_##mode(double x) { return __nvvm_d2ull_##ptx(x); } \
    MOG_CUDA_DEVICE float __double2float_##mode(double x) { return __nvvm_d2f_##ptx(x); }              \
    MOG_CUDA_DEVICE float __int2float_##mode(int x) { return __nvvm_i2f_##ptx(x); }                    \
    MOG_CUDA_DEVICE float __uint2float_##mode(unsigned x) { return __nvvm_ui2f_##ptx(x); }             \
    MOG_CUDA_DEVICE float __ll2float_##mode(long long x) { return __nvvm_ll2f_##ptx(x); }              \
    MOG_CUDA_DEVICE float __ull2float_##mode(unsigned long long x) { return __nvvm_ull2f_##ptx(x); }   \
    MOG_CUDA_DEVICE double __ll2double_##mode(long long x) { return __nvvm_ll2d_##ptx(x); }            \
    MOG_CUDA_DEVICE double __ull2double_##mode(unsigned long long x) { return __nvvm_ull2d_##ptx(x); }
MOG_CUDA_CONVERTED(rn, rn)
MOG_CUDA_CONVERTED(rz, rz)
MOG_CUDA_CONVERTED(rd, rm)
MOG_CUDA_CONVERTED(ru, rp)
#undef MOG_CUDA_CONVERTED
MOG_CUDA_DEVICE double __int2double_rn(int x) { return x; }
MOG_CUDA_DEVICE double __uint2double_rn(unsigned x) { return x; }

MOG_CUDA_DEVICE int __float_as_int(float x) { return (int)mog_cuda::bits_of(x); }
MOG_CUDA_DEVICE unsigned __float_as_uint(float x) { return mog_cuda::bits_of(x); }
MOG_CUDA_DEVICE float __int_as_float(int x) { return mog_cuda::float_of((unsigned)x); }
MOG_CUDA_DEVICE float __uint_as_float(unsigned x) { return mog_cuda::float_of(x); }
MOG_CUDA_DEVICE long long __double_as_longlong(double x) { return (long long)mog_cuda::bits_of(x); }
MOG_CUDA_DEVICE double __longlong_as_double(long long x) { return mog_cuda::double_of((unsigned long long)x); }
MOG_CUDA_DEVICE int __double2loint(double x) { return (int)mog_cuda::bits_of(x); }
MOG_CUDA_DEVICE int __double2hiint(double x) { return (int)(mog_cuda::bits_of(x) >> 32); }
MOG_CUDA_DEVICE double __hiloint2double(int high, int low) {
    return mog_cuda::double_of((unsigned long long)(unsigned)high << 32 | (unsigned)low);
}

/* Bits. */
MOG_CUDA_DEVICE int __popc(unsigned x) { return __builtin_popcount(x); }
MOG_CUDA_DEVICE int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
MOG_CUDA_DEVICE int __clz(int x) { return x ? __builtin_clz((unsigned)x) : 32; }
MOG_CUDA_DEVICE int __clzll(long long x) { return x ? __builtin_clzll((unsigned long long)x) : 64; }
MOG_CUDA_DEVICE int __ffs(int x) { return __builtin_ffs(x); }
MOG_CUDA_DEVICE int __ffsll(long long x) { return __builtin_ffsll(x); }
MOG_CUDA_DEVICE unsigned __brev(unsigned x) { return __builtin_bitreverse32(x); }
MOG_CUDA_DEVICE unsigned long long __brevll(unsigned long long x) { return __builtin_bitreverse64(x); }
MOG_CUDA_DEVICE unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) { return __nvvm_prmt(x, y, selector & 0x7777); }
MOG_CUDA_DEVICE unsigned __fns(unsigned mask, unsigned base, int offset) { return __nvvm_fns(mask, base, offset); }
MOG_CUDA_DEVICE unsigned __funnelshift_l(unsigned low, unsigned high, unsigned by) {
    return (unsigned)((((unsigned long long)high << 32 | low) << (by & 31)) >> 32);
}
MOG_CUDA_DEVICE unsigned __funnelshift_r(unsigned low, unsigned high, unsigned by) {
    return (unsigned)(((unsigned long long)high << 32 | low) >> (by & 31));
}
MOG_CUDA_DEVICE unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned by) {
    return by >= 32 ? low : (unsigned)((((unsigned long long)high << 32 | low) << by) >> 32);
}
MOG_CUDA_DEVICE unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned by) {
    return by >= 32 ? high : (unsigned)(((unsigned long long)high << 32 | low) >> by);
}

/* Whole numbers. */
MOG_CUDA_DEVICE int __mulhi(int x, int y) { return __nvvm_mulhi_i(x, y); }
MOG_CUDA_DEVICE unsigned __umulhi(unsigned x, unsigned y) { return __nvvm_mulhi_ui(x, y); }
MOG_CUDA_DEVICE long long __mul64hi(long long x, long long y) { return __nvvm_mulhi_ll(x, y); }
MOG_CUDA_DEVICE unsigned long long __umul64hi(unsigned long long x, unsigned long long y) { return __nvvm_mulhi_ull(x, y); }
MOG_CUDA_DEVICE int __mul24(int x, int y) { return __nvvm_mul24_i(x, y); }
MOG_CUDA_DEVICE unsigned __umul24(unsigned x, unsigned y) { return __nvvm_mul24_ui(x, y); }
MOG_CUDA_DEVICE unsigned __sad(int x, int y, unsigned z) { return (unsigned)(x > y ? (long long)x - y : (long long)y - x) + z; }
MOG_CUDA_DEVICE unsigned __usad(unsigned x, unsigned y, unsigned z) { return (x > y ? x - y : y - x) + z; }
MOG_CUDA_DEVICE int __hadd(int x, int y) { return (int)(((long long)x + y) >> 1); }
MOG_CUDA_DEVICE int __rhadd(int x, int y) { return (int)(((long long)x + y + 1) >> 1); }
MOG_CUDA_DEVICE unsigned __uhadd(unsigned x, unsigned y) { return (unsigned)(((unsigned long long)x + y) >> 1); }
MOG_CUDA_DEVICE unsigned __urhadd(unsigned x, unsigned y) { return (unsigned)(((unsigned long long)x + y + 1) >> 1); }

/* The sums of products of bytes. */
MOG_CUDA_DEVICE int __dp4a(int x, int y, int sum) {
    for (int shift = 0; shift < 32; shift += 8) sum += (int)(signed char)(x >> shift) * (int)(signed char)(y >> shift);
    return sum;
}
MOG_CUDA_DEVICE unsigned __dp4a(unsigned x, unsigned y, unsigned sum) {
    for (int shift = 0; shift < 32; shift += 8) sum += (x >> shift & 255) * (y >> shift & 255);
    return sum;
}

/* Four bytes or two halves of a word, each by itself. */
#define MOG_CUDA_PARTS(name, bits, type, expression)                       \
    MOG_CUDA_DEVICE unsigned name(unsigned x, unsigned y) {                \
        unsigned all = 0;                                                  \
        for (int shift = 0; shift < 32; shift += bits) {                   \
            const int a = (type)(x >> shift), b = (type)(y >> shift);      \
            (void)a, (void)b;                                              \
            all |= ((unsigned)(expression) & ((1u << bits) - 1)) << shift; \
        }                                                                  \
        return all;                                                        \
    }
MOG_CUDA_PARTS(__vadd4, 8, unsigned char, a + b)
MOG_CUDA_PARTS(__vsub4, 8, unsigned char, a - b)
MOG_CUDA_PARTS(__vaddus4, 8, unsigned char, a + b > 255 ? 255 : a + b)
MOG_CUDA_PARTS(__vsubus4, 8, unsigned char, a < b ? 0 : a - b)
MOG_CUDA_PARTS(__vmaxu4, 8, unsigned char, a > b ? a : b)
MOG_CUDA_PARTS(__vminu4, 8, unsigned char, a < b ? a : b)
MOG_CUDA_PARTS(__vmaxs4, 8, signed char, a > b ? a : b)
MOG_CUDA_PARTS(__vmins4, 8, signed char, a < b ? a : b)
MOG_CUDA_PARTS(__vabsdiffu4, 8, unsigned char, a > b ? a - b : b - a)
MOG_CUDA_PARTS(__vcmpeq4, 8, unsigned char, a == b ? 255 : 0)
MOG_CUDA_PARTS(__vcmpgtu4, 8, unsigned char, a > b ? 255 : 0)
MOG_CUDA_PARTS(__vadd2, 16, unsigned short, a + b)
MOG_CUDA_PARTS(__vsub2, 16, unsigned short, a - b)
MOG_CUDA_PARTS(__vmaxs2, 16, short, a > b ? a : b)
MOG_CUDA_PARTS(__vmins2, 16, short, a < b ? a : b)
MOG_CUDA_PARTS(__vmaxu2, 16, unsigned short, a > b ? a : b)
MOG_CUDA_PARTS(__vminu2, 16, unsigned short, a < b ? a : b)
#undef MOG_CUDA_PARTS

/* Fast and less exact. */
MOG_CUDA_DEVICE float __fdividef(float x, float y) { return __nvvm_div_approx_f(x, y); }
MOG_CUDA_DEVICE float __expf(float x) { return __nvvm_ex2_approx_f(x * 0x1.715476p+0f); }
MOG_CUDA_DEVICE float __exp10f(float x) { return __nvvm_ex2_approx_f(x * 0x1.a934f0p+1f); }
MOG_CUDA_DEVICE float __log2f(float x) { return __nvvm_lg2_approx_f(x); }
MOG_CUDA_DEVICE float __logf(float x) { return __nvvm_lg2_approx_f(x) * 0x1.62e430p-1f; }
MOG_CUDA_DEVICE float __log10f(float x) { return __nvvm_lg2_approx_f(x) * 0x1.344136p-2f; }
MOG_CUDA_DEVICE float __powf(float x, float y) { return __nvvm_ex2_approx_f(y * __nvvm_lg2_approx_f(x)); }
MOG_CUDA_DEVICE float __sinf(float x) { return __nvvm_sin_approx_f(x); }
MOG_CUDA_DEVICE float __cosf(float x) { return __nvvm_cos_approx_f(x); }
MOG_CUDA_DEVICE float __tanf(float x) { return __nvvm_div_approx_f(__nvvm_sin_approx_f(x), __nvvm_cos_approx_f(x)); }
MOG_CUDA_DEVICE void __sincosf(float x, float *sine, float *cosine) {
    *sine = __sinf(x);
    *cosine = __cosf(x);
}
MOG_CUDA_DEVICE float __frsqrt_rn(float x) { return (float)(1 / __builtin_sqrt((double)x)); }
MOG_CUDA_DEVICE float __saturatef(float x) { return __nvvm_saturate_f(x); }
MOG_CUDA_DEVICE float saturate(float x) { return __nvvm_saturate_f(x); }

/* Loads and stores that say how long a value is wanted. */
#define MOG_CUDA_LDG(type, kind, pointed) \
    MOG_CUDA_DEVICE type __ldg(const type *place) { return __builtin_bit_cast(type, __nvvm_ldg_##kind((const pointed *)place)); }
typedef int mog_cuda_int2 __attribute__((ext_vector_type(2)));
typedef int mog_cuda_int4 __attribute__((ext_vector_type(4)));
typedef float mog_cuda_float2 __attribute__((ext_vector_type(2)));
typedef float mog_cuda_float4 __attribute__((ext_vector_type(4)));
typedef double mog_cuda_double2 __attribute__((ext_vector_type(2)));
MOG_CUDA_LDG(char, c, char)
MOG_CUDA_LDG(signed char, c, char)
MOG_CUDA_LDG(unsigned char, uc, unsigned char)
MOG_CUDA_LDG(short, s, short)
MOG_CUDA_LDG(unsigned short, us, unsigned short)
MOG_CUDA_LDG(int, i, int)
MOG_CUDA_LDG(unsigned, ui, unsigned)
MOG_CUDA_LDG(long, l, long)
MOG_CUDA_LDG(unsigned long, ul, unsigned long)
MOG_CUDA_LDG(long long, ll, long long)
MOG_CUDA_LDG(unsigned long long, ull, unsigned long long)
MOG_CUDA_LDG(float, f, float)
MOG_CUDA_LDG(double, d, double)
MOG_CUDA_LDG(int2, i2, mog_cuda_int2)
MOG_CUDA_LDG(uint2, i2, mog_cuda_int2)
MOG_CUDA_LDG(int4, i4, mog_cuda_int4)
MOG_CUDA_LDG(uint4, i4, mog_cuda_int4)
MOG_CUDA_LDG(float2, f2, mog_cuda_float2)
MOG_CUDA_LDG(float4, f4, mog_cuda_float4)
MOG_CUDA_LDG(double2, d2, mog_cuda_double2)
#undef MOG_CUDA_LDG
/* To this machine's memory all of them are the same. */
#define MOG_CUDA_LOAD(name)                        \
    template <typename Type>                       \
    MOG_CUDA_DEVICE Type name(const Type *place) { \
        return *place;                             \
    }
MOG_CUDA_LOAD(__ldcg)
MOG_CUDA_LOAD(__ldca)
MOG_CUDA_LOAD(__ldcs)
MOG_CUDA_LOAD(__ldlu)
MOG_CUDA_LOAD(__ldcv)
#undef MOG_CUDA_LOAD
#define MOG_CUDA_STORE(name)                             \
    template <typename Type>                             \
    MOG_CUDA_DEVICE void name(Type *place, Type value) { \
        *place = value;                                  \
    }
MOG_CUDA_STORE(__stwb)
MOG_CUDA_STORE(__stcg)
MOG_CUDA_STORE(__stcs)
MOG_CUDA_STORE(__stwt)
#undef MOG_CUDA_STORE
