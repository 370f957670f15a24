/* Division and remainder: by constants (which become multiplications), by variables, at the borders, div() and friends. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "testing.h"

#define BY(n) \
    sum = hash_u32(sum, (uint32_t)(s / (n))); sum = hash_u32(sum, (uint32_t)(s % (n))); \
    sum = hash_u32(sum, u / (unsigned)(n)); sum = hash_u32(sum, u % (unsigned)(n))

int main(void) {
    static const int values[] = {0, 1, -1, 2, -2, 3, 7, -7, 9, 10, -10, 99, 100, 1000, 65535, 65536, 46341, -46341, INT_MAX, INT_MAX - 1, INT_MIN, INT_MIN + 1};
    enum { COUNT = sizeof values / sizeof *values };
    uint32_t sum = HASH_START;
    for (int i = 0; i < COUNT; i++) {
        int s = values[i];
        unsigned u = (unsigned)s;
        BY(2); BY(3); BY(4); BY(5); BY(6); BY(7); BY(8); BY(9); BY(10); BY(11); BY(12); BY(13); BY(16); BY(25); BY(60); BY(100);
        BY(125); BY(255); BY(256); BY(641); BY(1000); BY(1024); BY(3600); BY(10000); BY(65536); BY(1000000); BY(0x7fffffff); BY(-2); BY(-3); BY(-10); BY(-1000);
        printf("%d: %d %d %d %d %u %u\n", s, s / 3, s % 10, s / -7, s / 16, u / 7, u % 1000);
    }
    printf("constants %08x\n", sum);
    for (int i = 0; i < COUNT; i++)
        for (int j = 0; j < COUNT; j++) {
            volatile int a = values[i], b = values[j];
            volatile unsigned ua = (unsigned)a, ub = (unsigned)b;
            if (b == 0) continue;
            if (!(a == INT_MIN && b == -1)) { sum = hash_u32(sum, (uint32_t)(a / b)); sum = hash_u32(sum, (uint32_t)(a % b)); }
            sum = hash_u32(sum, ua / ub);
            sum = hash_u32(sum, ua % ub);
        }
    printf("variables %08x\n", sum);
    div_t d = div(-17, 5);
    ldiv_t l = ldiv(1000000007L, -1000L);
    lldiv_t w = lldiv(-1234567890123456789LL, 1000000007LL);
    printf("%d %d %ld %ld %lld %lld\n", d.quot, d.rem, l.quot, l.rem, w.quot, w.rem);
    printf("%d %ld %lld\n", abs(-5), labs(-123456L), llabs(-1234567890123LL));
    int digits[12], n = 0;
    for (unsigned x = 4294967295u; x; x /= 10) digits[n++] = (int)(x % 10);
    while (n) printf("%d", digits[--n]);
    printf("\n");
    return 0;
}
