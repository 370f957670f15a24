/* exp, log, pow and their like, and those of floats, give each bit that glibc's do. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint64_t state = 88172645463325252ull;

/* Of [low, high). */
static double any(double low, double high) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return low + (high - low) * (double)(state >> 11) * 0x1p-53;
}

#define BITS(name, type, integer, value)                                      \
    do {                                                                      \
        uint64_t sum = 0;                                                     \
        for (int i = 0; i < 300; i++) {                                       \
            const type got = value;                                           \
            integer bits;                                                     \
            memcpy(&bits, &got, sizeof bits);                                 \
            sum = sum * 31 + bits;                                            \
            if (i == 0) printf("%s %a ", name, (double)got);                  \
        }                                                                     \
        printf("%016llx\n", (unsigned long long)sum);                         \
    } while (0)

int main(void) {
    BITS("exp", double, uint64_t, exp(any(-700, 700)));
    BITS("exp near 0", double, uint64_t, exp(any(-1e-3, 1e-3)));
    BITS("exp2", double, uint64_t, exp2(any(-1000, 1000)));
    BITS("log", double, uint64_t, log(any(0, 1e9)));
    BITS("log near 1", double, uint64_t, log(any(0.95, 1.05)));
    BITS("log2", double, uint64_t, log2(any(0, 100)));
    BITS("pow", double, uint64_t, pow(any(0, 50), any(-100, 100)));
    BITS("pow of negative", double, uint64_t, pow(any(-50, 0), floor(any(-9, 9))));
    BITS("lgamma", double, uint64_t, lgamma(any(3, 1000)));
    BITS("expf", float, uint32_t, expf((float)any(-80, 80)));
    BITS("exp2f", float, uint32_t, exp2f((float)any(-120, 120)));
    BITS("logf", float, uint32_t, logf((float)any(0, 1e9)));
    BITS("log2f", float, uint32_t, log2f((float)any(0, 100)));
    BITS("powf", float, uint32_t, powf((float)any(0, 50), (float)any(-10, 10)));
    BITS("sinf", float, uint32_t, sinf((float)any(-1000, 1000)));
    BITS("cosf", float, uint32_t, cosf((float)any(-1000, 1000)));
    return 0;
}
