/* complex_long.c: functions on long double complex that newlib lacks. long double is double. */
#include <complex.h>

typedef long double complex Complex;

Complex cacosl(Complex z) { return cacos(z); }
Complex cacoshl(Complex z) { return cacosh(z); }
Complex casinhl(Complex z) { return casinh(z); }
Complex catanhl(Complex z) { return catanh(z); }
Complex ccosl(Complex z) { return ccos(z); }
Complex ccoshl(Complex z) { return ccosh(z); }
Complex csinl(Complex z) { return csin(z); }
Complex csinhl(Complex z) { return csinh(z); }
Complex ctanl(Complex z) { return ctan(z); }
Complex ctanhl(Complex z) { return ctanh(z); }
Complex cexpl(Complex z) { return cexp(z); }
Complex cpowl(Complex z, Complex w) { return cpow(z, w); }
Complex conjl(Complex z) { return conj(z); }
Complex cprojl(Complex z) { return cproj(z); }
