/* llround.c: newlib's loses bits of numbers from 2^52 on, where long has 32 bits. */
#include <math.h>

long long llround(double x) { return (long long)round(x); }
long long llroundl(long double x) { return (long long)round((double)x); }
