/* The upper halves of products, signed and unsigned: mult and multu, and three-word products by hand. */
#include <stdint.h>
#include <stdio.h>

static uint64_t high64(uint64_t a, uint64_t b) {
    uint64_t al = (uint32_t)a, ah = a >> 32, bl = (uint32_t)b, bh = b >> 32;
    uint64_t m1 = ah * bl + (al * bl >> 32), m2 = al * bh + (uint32_t)m1;
    return ah * bh + (m1 >> 32) + (m2 >> 32);
}

int main(void) {
    static volatile uint32_t v[] = {0, 1, 2, 0x7fffffff, 0x80000000, 0xffffffff, 0x12345678, 0xdeadbeef};
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++) {
            int64_t s = (int64_t)(int32_t)v[i] * (int32_t)v[j];
            uint64_t u = (uint64_t)v[i] * v[j];
            printf("%08x %08x %016llx\n", (uint32_t)(s >> 32), (uint32_t)(u >> 32), (unsigned long long)high64(u, s));
        }
    return 0;
}
