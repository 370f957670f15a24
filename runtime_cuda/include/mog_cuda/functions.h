/* functions.h: names of mathematical functions in kernels, for doubles, floats and whole numbers, also in namespace std.
 *
 * They have to be declared before <cmath> is read: clang makes functions of that which are constexpr functions of kernels too, unless
 * kernels have functions with these parameters already. On the host the C library's functions are called as in any program. */
#pragma once
#pragma GCC system_header

#include "mog_cuda/math_float.h"

template <bool Is, typename Type>
struct mog_cuda_if {};
template <typename Type>
struct mog_cuda_if<true, Type> {
    typedef Type type;
};
/* True for whole numbers: those whose quotient 1 / 2 is 0. */
template <typename Type>
struct mog_cuda_whole {
    static constexpr bool value = false;
};
#define MOG_CUDA_WHOLE(type_)               \
    template <>                             \
    struct mog_cuda_whole<type_> {          \
        static constexpr bool value = true; \
    };
MOG_CUDA_WHOLE(bool)
MOG_CUDA_WHOLE(char)
MOG_CUDA_WHOLE(signed char)
MOG_CUDA_WHOLE(unsigned char)
MOG_CUDA_WHOLE(short)
MOG_CUDA_WHOLE(unsigned short)
MOG_CUDA_WHOLE(int)
MOG_CUDA_WHOLE(unsigned)
MOG_CUDA_WHOLE(long)
MOG_CUDA_WHOLE(unsigned long)
MOG_CUDA_WHOLE(long long)
MOG_CUDA_WHOLE(unsigned long long)
#undef MOG_CUDA_WHOLE
/* The type in which a call with these operands computes. */
template <typename A, typename B>
struct mog_cuda_common {
    typedef double type;
};
template <>
struct mog_cuda_common<float, float> {
    typedef float type;
};

/* What clang knows as instructions. */
namespace mog_cuda {
#define MOG_CUDA_BUILTIN(name)                                          \
    MOG_CUDA_MATH double name(double x) { return __builtin_##name(x); } \
    MOG_CUDA_MATH float name(float x) { return __builtin_##name##f(x); }
MOG_CUDA_BUILTIN(sqrt)
MOG_CUDA_BUILTIN(fabs)
MOG_CUDA_BUILTIN(floor)
MOG_CUDA_BUILTIN(ceil)
MOG_CUDA_BUILTIN(trunc)
MOG_CUDA_BUILTIN(rint)
MOG_CUDA_BUILTIN(nearbyint)
#undef MOG_CUDA_BUILTIN
MOG_CUDA_MATH double round(double x) {
    const double whole = __builtin_trunc(x);
    return absolute(x - whole) >= 0.5 ? whole + with_sign(1, x) : with_sign(whole, x);
}
MOG_CUDA_MATH float round(float x) {
    const float whole = __builtin_truncf(x);
    return __builtin_fabsf(x - whole) >= 0.5f ? whole + __builtin_copysignf(1, x) : __builtin_copysignf(whole, x);
}
MOG_CUDA_MATH double rsqrt(double x) { return 1 / __builtin_sqrt(x); }
MOG_CUDA_MATH float rsqrt(float x) { return __nvvm_rsqrt_approx_f(x); }
MOG_CUDA_MATH double rcbrt(double x) { return 1 / cbrt(x); }
MOG_CUDA_MATH float rcbrt(float x) { return 1 / cbrt(x); }
MOG_CUDA_MATH double logb(double x) {
    if (x == 0) return -infinity();
    if (!(absolute(x) < infinity())) return x * x;
    int exponent;
    mantissa(x, exponent);
    return exponent;
}
MOG_CUDA_MATH float logb(float x) { return (float)logb((double)x); }
MOG_CUDA_MATH double fmin(double x, double y) { return __nvvm_fmin_d(x, y); }
MOG_CUDA_MATH float fmin(float x, float y) { return __nvvm_fmin_f(x, y); }
MOG_CUDA_MATH double fmax(double x, double y) { return __nvvm_fmax_d(x, y); }
MOG_CUDA_MATH float fmax(float x, float y) { return __nvvm_fmax_f(x, y); }
MOG_CUDA_MATH double fdim(double x, double y) { return x > y ? x - y : x <= y ? 0 : x + y; }
MOG_CUDA_MATH float fdim(float x, float y) { return x > y ? x - y : x <= y ? 0 : x + y; }
MOG_CUDA_MATH double copysign(double x, double y) { return __builtin_copysign(x, y); }
MOG_CUDA_MATH float copysign(float x, float y) { return __builtin_copysignf(x, y); }
MOG_CUDA_MATH double nextafter(double x, double y) {
    if (x != x || y != y) return x + y;
    if (x == y) return y;
    if (x == 0) return with_sign(0x1p-1074, y);
    return double_of(bits_of(x) + ((x < y) == (x > 0) ? 1 : -1));
}
MOG_CUDA_MATH float nextafter(float x, float y) {
    if (x != x || y != y) return x + y;
    if (x == y) return y;
    if (x == 0) return __builtin_copysignf(0x1p-149f, y);
    return float_of(bits_of(x) + ((x < y) == (x > 0) ? 1 : -1));
}
MOG_CUDA_MATH double rhypot(double x, double y) { return 1 / hypot(x, y); }
MOG_CUDA_MATH float rhypot(float x, float y) { return 1 / hypot(x, y); }
MOG_CUDA_MATH double fma(double x, double y, float z) { return __builtin_fma(x, y, z); }
}  // namespace mog_cuda

/* Functions of one operand: double, float by the same name and by its own, whole numbers as doubles. The second list is of those that the C
 * library does not have. */
// clang-format off
#define MOG_CUDA_OF_ONE(X)                                                                                                                  \
    X(sqrt) X(fabs) X(floor) X(ceil) X(trunc) X(rint) X(nearbyint) X(round) X(exp) X(exp2) X(expm1) X(log) X(log2) X(log10) X(log1p) X(sin) \
    X(cos) X(tan) X(asin) X(acos) X(atan) X(sinh) X(cosh) X(tanh) X(asinh) X(acosh) X(atanh) X(cbrt) X(erf) X(erfc) X(tgamma) X(lgamma) X(logb)
#define MOG_CUDA_OF_ONE_MORE(X) \
    X(rsqrt) X(rcbrt) X(exp10) X(sinpi) X(cospi) X(erfcx) X(erfinv) X(erfcinv) X(normcdf) X(normcdfinv)
#define MOG_CUDA_OF_TWO(X) \
    X(pow) X(atan2) X(fmod) X(remainder) X(hypot) X(fmin) X(fmax) X(fdim) X(copysign) X(nextafter)
// clang-format on

#define MOG_CUDA_NAME(name)                                                                        \
    MOG_CUDA_DEVICE double name(double x) { return mog_cuda::name(x); }                            \
    MOG_CUDA_DEVICE float name(float x) { return mog_cuda::name(x); }                              \
    MOG_CUDA_DEVICE float name##f(float x) { return mog_cuda::name(x); }                           \
    template <typename Type>                                                                       \
    MOG_CUDA_DEVICE typename mog_cuda_if<mog_cuda_whole<Type>::value, double>::type name(Type x) { \
        return mog_cuda::name((double)x);                                                          \
    }
MOG_CUDA_OF_ONE(MOG_CUDA_NAME)
MOG_CUDA_OF_ONE_MORE(MOG_CUDA_NAME)
#undef MOG_CUDA_NAME

#define MOG_CUDA_NAME(name)                                                                                      \
    MOG_CUDA_DEVICE double name(double x, double y) { return mog_cuda::name(x, y); }                             \
    MOG_CUDA_DEVICE float name(float x, float y) { return mog_cuda::name(x, y); }                                \
    MOG_CUDA_DEVICE float name##f(float x, float y) { return mog_cuda::name(x, y); }                             \
    template <typename A, typename B>                                                                            \
    MOG_CUDA_DEVICE typename mog_cuda_common<A, B>::type name(A x, B y) {                                        \
        return mog_cuda::name((typename mog_cuda_common<A, B>::type)x, (typename mog_cuda_common<A, B>::type)y); \
    }
MOG_CUDA_OF_TWO(MOG_CUDA_NAME)
MOG_CUDA_DEVICE double rhypot(double x, double y) { return mog_cuda::rhypot(x, y); }
MOG_CUDA_DEVICE float rhypotf(float x, float y) { return mog_cuda::rhypot(x, y); }
#undef MOG_CUDA_NAME

MOG_CUDA_DEVICE double fma(double x, double y, double z) { return __builtin_fma(x, y, z); }
MOG_CUDA_DEVICE float fma(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
MOG_CUDA_DEVICE float fmaf(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
MOG_CUDA_DEVICE float fdividef(float x, float y) { return x / y; }
MOG_CUDA_DEVICE double norm3d(double x, double y, double z) { return mog_cuda::hypot(mog_cuda::hypot(x, y), z); }
MOG_CUDA_DEVICE float norm3df(float x, float y, float z) { return (float)__builtin_sqrt((double)x * x + (double)y * y + (double)z * z); }
MOG_CUDA_DEVICE double rnorm3d(double x, double y, double z) { return 1 / norm3d(x, y, z); }
MOG_CUDA_DEVICE float rnorm3df(float x, float y, float z) { return 1 / norm3df(x, y, z); }
MOG_CUDA_DEVICE double norm4d(double x, double y, double z, double w) { return mog_cuda::hypot(norm3d(x, y, z), w); }
MOG_CUDA_DEVICE float norm4df(float x, float y, float z, float w) {
    return (float)__builtin_sqrt((double)x * x + (double)y * y + (double)z * z + (double)w * w);
}

MOG_CUDA_DEVICE void sincos(double x, double *sine, double *cosine) { mog_cuda::sincos(x, *sine, *cosine); }
MOG_CUDA_DEVICE void sincos(float x, float *sine, float *cosine) { mog_cuda::sincos(x, *sine, *cosine); }
MOG_CUDA_DEVICE void sincosf(float x, float *sine, float *cosine) { mog_cuda::sincos(x, *sine, *cosine); }
MOG_CUDA_DEVICE void sincospi(double x, double *sine, double *cosine) { mog_cuda::sincospi(x, *sine, *cosine); }
MOG_CUDA_DEVICE void sincospif(float x, float *sine, float *cosine) { mog_cuda::sincospi(x, *sine, *cosine); }

MOG_CUDA_DEVICE double ldexp(double x, int n) { return mog_cuda::scale(x, n); }
MOG_CUDA_DEVICE float ldexp(float x, int n) { return (float)mog_cuda::scale(x, n); }
MOG_CUDA_DEVICE float ldexpf(float x, int n) { return ldexp(x, n); }
MOG_CUDA_DEVICE double scalbn(double x, int n) { return mog_cuda::scale(x, n); }
MOG_CUDA_DEVICE float scalbn(float x, int n) { return ldexp(x, n); }
MOG_CUDA_DEVICE float scalbnf(float x, int n) { return ldexp(x, n); }
MOG_CUDA_DEVICE double scalbln(double x, long n) { return mog_cuda::scale(x, (int)(n > 5000 ? 5000 : n < -5000 ? -5000 : n)); }
MOG_CUDA_DEVICE float scalblnf(float x, long n) { return (float)scalbln((double)x, n); }
MOG_CUDA_DEVICE double frexp(double x, int *exponent) {
    *exponent = 0;
    if (x == 0 || !(mog_cuda::absolute(x) < mog_cuda::infinity())) return x;
    const double m = mog_cuda::mantissa(x, *exponent);
    *exponent += 1;
    return 0.5 * m;
}
MOG_CUDA_DEVICE float frexp(float x, int *exponent) { return (float)frexp((double)x, exponent); }
MOG_CUDA_DEVICE float frexpf(float x, int *exponent) { return (float)frexp((double)x, exponent); }
MOG_CUDA_DEVICE double modf(double x, double *whole) {
    *whole = __builtin_trunc(x);
    return mog_cuda::with_sign(mog_cuda::absolute(x) == mog_cuda::infinity() ? 0 : x - *whole, x);
}
MOG_CUDA_DEVICE float modf(float x, float *whole) {
    *whole = __builtin_truncf(x);
    return __builtin_copysignf(__builtin_fabsf(x) == __builtin_inff() ? 0 : x - *whole, x);
}
MOG_CUDA_DEVICE float modff(float x, float *whole) { return modf(x, whole); }
MOG_CUDA_DEVICE int ilogb(double x) {
    if (x == 0 || x != x) return -2147483647 - 1;
    return mog_cuda::absolute(x) == mog_cuda::infinity() ? 2147483647 : (int)mog_cuda::logb(x);
}
MOG_CUDA_DEVICE int ilogb(float x) { return ilogb((double)x); }
MOG_CUDA_DEVICE int ilogbf(float x) { return ilogb((double)x); }
MOG_CUDA_DEVICE double nan(const char *) { return mog_cuda::not_a_number(); }
MOG_CUDA_DEVICE float nanf(const char *) { return (float)mog_cuda::not_a_number(); }

/* To whole numbers. */
#define MOG_CUDA_TO_WHOLE(name, by, type)                                 \
    MOG_CUDA_DEVICE type name(double x) { return (type)mog_cuda::by(x); } \
    MOG_CUDA_DEVICE type name(float x) { return (type)mog_cuda::by(x); }  \
    MOG_CUDA_DEVICE type name##f(float x) { return (type)mog_cuda::by(x); }
MOG_CUDA_TO_WHOLE(lrint, rint, long)
MOG_CUDA_TO_WHOLE(llrint, rint, long long)
MOG_CUDA_TO_WHOLE(lround, round, long)
MOG_CUDA_TO_WHOLE(llround, round, long long)
#undef MOG_CUDA_TO_WHOLE

/* Kinds of numbers. */
#define MOG_CUDA_KIND(type, absolute_, least)                                                    \
    MOG_CUDA_DEVICE bool isnan(type x) { return x != x; }                                        \
    MOG_CUDA_DEVICE bool isinf(type x) { return absolute_(x) == (type)__builtin_inf(); }         \
    MOG_CUDA_DEVICE bool isfinite(type x) { return absolute_(x) < (type)__builtin_inf(); }       \
    MOG_CUDA_DEVICE bool isnormal(type x) { return isfinite(x) && absolute_(x) >= (type)least; } \
    MOG_CUDA_DEVICE bool signbit(type x) { return __builtin_copysign(1.0, (double)x) < 0; }      \
    MOG_CUDA_DEVICE bool isgreater(type x, type y) { return x > y; }                             \
    MOG_CUDA_DEVICE bool isgreaterequal(type x, type y) { return x >= y; }                       \
    MOG_CUDA_DEVICE bool isless(type x, type y) { return x < y; }                                \
    MOG_CUDA_DEVICE bool islessequal(type x, type y) { return x <= y; }                          \
    MOG_CUDA_DEVICE bool isunordered(type x, type y) { return x != x || y != y; }
MOG_CUDA_KIND(double, __builtin_fabs, 0x1p-1022)
MOG_CUDA_KIND(float, __builtin_fabsf, 0x1p-126)
#undef MOG_CUDA_KIND
MOG_CUDA_DEVICE int __isnanf(float x) { return x != x; }
MOG_CUDA_DEVICE int __isinff(float x) { return isinf(x); }
MOG_CUDA_DEVICE int __finitef(float x) { return isfinite(x); }
MOG_CUDA_DEVICE int __isnan(double x) { return x != x; }
MOG_CUDA_DEVICE int __isinf(double x) { return isinf(x); }
MOG_CUDA_DEVICE int __finite(double x) { return isfinite(x); }

MOG_CUDA_DEVICE int abs(int x) { return x < 0 ? -x : x; }
MOG_CUDA_DEVICE long abs(long x) { return x < 0 ? -x : x; }
MOG_CUDA_DEVICE long long abs(long long x) { return x < 0 ? -x : x; }
MOG_CUDA_DEVICE double abs(double x) { return __builtin_fabs(x); }
MOG_CUDA_DEVICE float abs(float x) { return __builtin_fabsf(x); }
MOG_CUDA_DEVICE long labs(long x) { return x < 0 ? -x : x; }
MOG_CUDA_DEVICE long long llabs(long long x) { return x < 0 ? -x : x; }

/* Of whole numbers on both sides, as nvcc has them. */
#define MOG_CUDA_ORDER(type)                                         \
    MOG_CUDA_BOTH type min(type x, type y) { return y < x ? y : x; } \
    MOG_CUDA_BOTH type max(type x, type y) { return x < y ? y : x; }
MOG_CUDA_ORDER(int)
MOG_CUDA_ORDER(unsigned)
MOG_CUDA_ORDER(long)
MOG_CUDA_ORDER(unsigned long)
MOG_CUDA_ORDER(long long)
MOG_CUDA_ORDER(unsigned long long)
#undef MOG_CUDA_ORDER
#define MOG_CUDA_ORDER(a, b, type)                                                     \
    MOG_CUDA_BOTH type min(a x, b y) { return (type)y < (type)x ? (type)y : (type)x; } \
    MOG_CUDA_BOTH type max(a x, b y) { return (type)x < (type)y ? (type)y : (type)x; }
MOG_CUDA_ORDER(int, unsigned, unsigned)
MOG_CUDA_ORDER(unsigned, int, unsigned)
MOG_CUDA_ORDER(long, unsigned long, unsigned long)
MOG_CUDA_ORDER(unsigned long, long, unsigned long)
MOG_CUDA_ORDER(long long, unsigned long long, unsigned long long)
MOG_CUDA_ORDER(unsigned long long, long long, unsigned long long)
#undef MOG_CUDA_ORDER
/* Of floats as fmin and fmax are: a NaN gives way to a number. */
#ifdef __CUDA_ARCH__
#define MOG_CUDA_SMALLER(x, y) mog_cuda::fmin(x, y)
#define MOG_CUDA_LARGER(x, y) mog_cuda::fmax(x, y)
#else
#define MOG_CUDA_SMALLER(x, y) (y != y || x < y ? x : y)
#define MOG_CUDA_LARGER(x, y) (y != y || x > y ? x : y)
#endif
#define MOG_CUDA_ORDER(a, b, type)                                                  \
    MOG_CUDA_BOTH type min(a x, b y) { return MOG_CUDA_SMALLER((type)x, (type)y); } \
    MOG_CUDA_BOTH type max(a x, b y) { return MOG_CUDA_LARGER((type)x, (type)y); }
MOG_CUDA_ORDER(float, float, float)
MOG_CUDA_ORDER(double, double, double)
MOG_CUDA_ORDER(float, double, double)
MOG_CUDA_ORDER(double, float, double)
#undef MOG_CUDA_ORDER
#undef MOG_CUDA_SMALLER
#undef MOG_CUDA_LARGER

namespace std {
#define MOG_CUDA_NAME(name) \
    using ::name;           \
    using ::name##f;
MOG_CUDA_OF_ONE(MOG_CUDA_NAME)
MOG_CUDA_OF_TWO(MOG_CUDA_NAME)
#undef MOG_CUDA_NAME
using ::abs;
using ::fma;
using ::frexp;
using ::ilogb;
using ::isfinite;
using ::isgreater;
using ::isgreaterequal;
using ::isinf;
using ::isless;
using ::islessequal;
using ::isnan;
using ::isnormal;
using ::isunordered;
using ::ldexp;
using ::llrint;
using ::llround;
using ::lrint;
using ::lround;
using ::modf;
using ::scalbln;
using ::scalbn;
using ::signbit;
}  // namespace std
