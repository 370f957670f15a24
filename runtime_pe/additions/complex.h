
/* ---- added by MOG ---- */
#ifndef _MOG_ADDED_COMPLEX_H
#define _MOG_ADDED_COMPLEX_H
#if __ISO_C_VISIBLE >= 2011
#define CMPLX(x, y) __builtin_complex((double)(x), (double)(y))
#define CMPLXF(x, y) __builtin_complex((float)(x), (float)(y))
#define CMPLXL(x, y) __builtin_complex((long double)(x), (long double)(y))
#endif
__BEGIN_DECLS
long double complex cacosl(long double complex);
long double complex cacoshl(long double complex);
long double complex casinhl(long double complex);
long double complex catanhl(long double complex);
long double complex ccosl(long double complex);
long double complex ccoshl(long double complex);
long double complex csinl(long double complex);
long double complex csinhl(long double complex);
long double complex ctanl(long double complex);
long double complex ctanhl(long double complex);
long double complex cexpl(long double complex);
long double complex cpowl(long double complex, long double complex);
long double complex conjl(long double complex);
long double complex cprojl(long double complex);
__END_DECLS
#endif
