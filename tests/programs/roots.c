/* hypot() and csqrt() are our own: to the last bit as glibc's, over all exponents, but where a result is not a normal number. */
#include <complex.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>

#include "testing.h"

static uint64_t state = 88172645463325252u;
static uint64_t next(void) {
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}

/* A special one, one of a middling size, or any. */
static double pick(void) {
    static const double special[] = {0, -0.0, INFINITY, -INFINITY, NAN, 1e308, -1.7e308, 4e-320, -1e-310, 2.2e-308, 1, -3, 4};
    uint64_t bits = next();
    if (bits % 8 == 0) return special[bits / 8 % (sizeof special / sizeof *special)];
    if (bits % 3 == 0) bits = (bits & 0x800fffffffffffffu) | (1000 + (bits >> 52) % 40) << 52;
    double x;
    memcpy(&x, &bits, sizeof x);
    return isnan(x) ? (double)NAN : x;
}

static uint32_t add(uint32_t sum, double x) { return hash_u64(sum, fpclassify(x) == FP_SUBNORMAL ? signbit(x) : same_nan_double(x)); }

int main(void) {
    for (int part = 0; part < 40; part++) {
        uint32_t lengths = HASH_START, roots = HASH_START;
        for (int i = 0; i < 100; i++) {
            double x = pick(), y = pick();
            if (i % 4 == 0) { /* squares that underflow */
                x *= 0x1p-600;
                y *= 0x1p-600;
            }
            errno = 0;
            lengths = add(lengths, hypot(x, y));
            lengths = hash_u32(lengths, (uint32_t)errno);
            double complex root = csqrt(CMPLX(x, y));
            roots = add(add(roots, creal(root)), cimag(root));
        }
        printf("%d: %08x %08x\n", part, lengths, roots);
    }
    return 0;
}
