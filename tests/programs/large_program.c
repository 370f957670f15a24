/* A large program: 256 functions of many shapes and a switch of 512 cases, so that code addresses, jump tables and the
 * constant pool get long. */
#include <stdio.h>

#include "testing.h"

#define X4(M, n) M(n) M(n + 1) M(n + 2) M(n + 3)
/* Function names need pasted figures, so four digits in base 4 make a number. */
#define FUNCTION(a, b, c, d) \
    static __attribute__((noinline)) int f##a##b##c##d(int x, double y, long long z) { \
        enum { N = 0##a * 64 + 0##b * 16 + 0##c * 4 + 0##d }; \
        unsigned r = (unsigned)x * (N * 70001u + 1) + N * 123456789u; \
        switch ((x + N) & 7) { \
        case 0: r += (unsigned)(y * N); break; \
        case 1: r ^= (unsigned)z; break; \
        case 2: r -= (unsigned)(z >> (N & 31)); break; \
        case 3: r /= N + 3; break; \
        case 4: r = r << (N & 15) | r >> 7; break; \
        case 5: r = (unsigned)((long long)(int)r * (N + 1) >> 5); break; \
        case 6: r %= 100003u + N; break; \
        } \
        return (int)(r & 0xffffff); \
    }
#define F1(a, b, c) FUNCTION(a, b, c, 0) FUNCTION(a, b, c, 1) FUNCTION(a, b, c, 2) FUNCTION(a, b, c, 3)
#define F2(a, b) F1(a, b, 0) F1(a, b, 1) F1(a, b, 2) F1(a, b, 3)
#define F3(a) F2(a, 0) F2(a, 1) F2(a, 2) F2(a, 3)
F3(0) F3(1) F3(2) F3(3)

#define P1(a, b, c) f##a##b##c##0, f##a##b##c##1, f##a##b##c##2, f##a##b##c##3
#define P2(a, b) P1(a, b, 0), P1(a, b, 1), P1(a, b, 2), P1(a, b, 3)
#define P3(a) P2(a, 0), P2(a, 1), P2(a, 2), P2(a, 3)
static int (*const table[256])(int, double, long long) = {P3(0), P3(1), P3(2), P3(3)};

#define CASE(n) case (n): s = s * 33 + (n) * 7919u; if (s & 1) s ^= (n); break;
#define C16(n) X4(CASE, n) X4(CASE, n + 4) X4(CASE, n + 8) X4(CASE, n + 12)
#define C64(n) C16(n) C16(n + 16) C16(n + 32) C16(n + 48)
#define C256(n) C64(n) C64(n + 64) C64(n + 128) C64(n + 192)

int main(void) {
    unsigned s = 1;
    for (int round = 0; round < 4; round++) {
        for (int i = 0; i < 256; i++) s = s * 31 + (unsigned)table[i]((int)(s & 0xffff), round + i / 3.0, (long long)s * round);
        printf("round %d: %u\n", round, s);
    }
    for (int i = 0; i < 1000; i++) {
        switch (s % 600) {
            C256(0)
            C256(256)
        default: s += 12345; break;
        }
        if (i % 200 == 0) printf("switch %d: %u\n", i, s);
    }
    printf("%u\n", s);
    return 0;
}
