/* csqrt.c: the complex root by hypot() and one real root, as C's annex G has its special cases (G.6.4.2). */
#include <complex.h>
#include <float.h>
#include <math.h>

static double complex of_special(double x, double y) {
    if (isinf(y)) return CMPLX(INFINITY, y);
    if (isinf(x) && x > 0) return CMPLX(x, isnan(y) ? y : copysign(0, y));
    if (isinf(x)) return CMPLX(isnan(y) ? y : 0, copysign(INFINITY, y));
    return CMPLX(x + y, x + y); /* a NaN */
}

double complex csqrt(double complex z) {
    double x = creal(z), y = cimag(z), scale = 1;
    if (!isfinite(x) || !isfinite(y)) return of_special(x, y);
    if (y == 0) return x < 0 ? CMPLX(0, copysign(__builtin_sqrt(-x), y)) : CMPLX(fabs(__builtin_sqrt(x)), y);
    if (x == 0) { /* both parts are the same, and are to be so to the last bit */
        double part = fabs(y) < 2 * DBL_MIN ? __builtin_sqrt(0x1p+107 * fabs(y)) * 0x1p-54 : __builtin_sqrt(0.5 * fabs(y));
        return CMPLX(part, copysign(part, y));
    }
    double larger = fmax(fabs(x), fabs(y));
    if (larger > DBL_MAX / 4) {
        x /= 4;
        y /= 4;
        scale = 2;
    } else if (larger < 4 * DBL_MIN) {
        x *= 0x1p+108;
        y *= 0x1p+108;
        scale = 0x1p-54;
    }
    /* The root of the sum without cancellation; the other part by 2 * re * im = y. */
    double root = __builtin_sqrt(0.5 * (hypot(x, y) + fabs(x))), other = 0.5 * (fabs(y) / root);
    double re = x < 0 ? other : root, im = x < 0 ? root : other;
    return CMPLX(re * scale, copysign(im * scale, y));
}
