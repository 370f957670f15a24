/* lrint.c: conversions to integer in the current rounding mode. newlib's take what is less than a half for 0 in every mode; an
 * instruction of the FPU does what is meant. */
#include <math.h>
#include <string.h>

long lrint(double x) {
    float word; /* an FPU register with an integer in it */
    long n;
    __asm__("cvt.w.d %0,%1" : "=f"(word) : "f"(x));
    memcpy(&n, &word, sizeof n);
    return n;
}

long lrintf(float x) {
    float word;
    long n;
    __asm__("cvt.w.s %0,%1" : "=f"(word) : "f"(x));
    memcpy(&n, &word, sizeof n);
    return n;
}

long long llrint(double x) { return (long long)rint(x); }

long long llrintf(float x) { return (long long)rintf(x); }
