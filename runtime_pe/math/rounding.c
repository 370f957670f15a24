/* rounding.c: what the FPU has instructions for. newlib's do it by integers: that takes ten times as many.
 *
 * The FPU rounds to integers of 32 bits. A float of 2^23 and more has no fraction. Doubles between those integers and 2^52 are
 * rounded by adding 2^52, in any mode; what comes out is the integer above or below, and a comparison tells which is meant.
 */
#include <math.h>
#include <string.h>

#define INTEGER_FLOAT 0x1p23f
#define INTEGER_DOUBLE 0x1p52
#define FITS_WORD 0x1p30 /* also rounded up */

/* name(x) by the instruction `how`, the sign of x kept for zeros. NaNs become quiet. */
#define ROUND_FLOAT(name, how)                                           \
    float name##f(float x) {                                             \
        float word, result;                                              \
        if (!(fabsf(x) < INTEGER_FLOAT)) return isfinite(x) ? x : x + x; \
        __asm__(how ".w.s %0,%1" : "=f"(word) : "f"(x));                 \
        __asm__("cvt.s.w %0,%1" : "=f"(result) : "f"(word));             \
        return copysignf(result, x);                                     \
    }
#define ROUND_DOUBLE(name, how, correct)                                 \
    double name(double x) {                                              \
        float word;                                                      \
        double result;                                                   \
        if (fabs(x) < FITS_WORD) {                                       \
            __asm__(how ".w.d %0,%1" : "=f"(word) : "f"(x));             \
            __asm__("cvt.d.w %0,%1" : "=f"(result) : "f"(word));         \
            return copysign(result, x);                                  \
        }                                                                \
        if (!(fabs(x) < INTEGER_DOUBLE)) return isfinite(x) ? x : x + x; \
        volatile double sum = x + copysign(INTEGER_DOUBLE, x);           \
        result = sum - copysign(INTEGER_DOUBLE, x);                      \
        return correct;                                                  \
    }

ROUND_FLOAT(floor, "floor")
ROUND_FLOAT(ceil, "ceil")
ROUND_FLOAT(trunc, "trunc")
ROUND_FLOAT(rint, "cvt")
ROUND_DOUBLE(floor, "floor", result > x ? result - 1 : result)
ROUND_DOUBLE(ceil, "ceil", result < x ? result + 1 : result)
ROUND_DOUBLE(trunc, "trunc", fabs(result) > fabs(x) ? result - copysign(1, x) : result)
ROUND_DOUBLE(rint, "cvt", result)

/* For newlib's sqrt() and sqrtf(), which set errno; and others that take roots. */
double __ieee754_sqrt(double x);
float __ieee754_sqrtf(float x);

double __ieee754_sqrt(double x) {
    double root;
    __asm__("sqrt.d %0,%1" : "=f"(root) : "f"(x));
    return root;
}

float __ieee754_sqrtf(float x) {
    float root;
    __asm__("sqrt.s %0,%1" : "=f"(root) : "f"(x));
    return root;
}
