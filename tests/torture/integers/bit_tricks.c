/* Population count, reversal, next power of two, Gray code, lowest bit: by hand. */
#include <stdint.h>
#include <stdio.h>

static uint32_t reverse(uint32_t x) {
    x = (x & 0x55555555) << 1 | (x >> 1 & 0x55555555);
    x = (x & 0x33333333) << 2 | (x >> 2 & 0x33333333);
    x = (x & 0x0f0f0f0f) << 4 | (x >> 4 & 0x0f0f0f0f);
    return x << 24 | (x & 0xff00) << 8 | (x >> 8 & 0xff00) | x >> 24;
}
static uint32_t power(uint32_t x) {
    x--;
    for (int n = 1; n < 32; n <<= 1) x |= x >> n;
    return x + 1;
}
static int count(uint32_t x) {
    int n = 0;
    for (; x; x &= x - 1) n++;
    return n;
}

int main(void) {
    for (uint32_t x = 1, i = 0; i < 24; i++, x = x * 2654435769u + 12345)
        printf("%08x %08x %d %08x %08x\n", reverse(x), power(x & 0xffffff), count(x), x ^ x >> 1, x & -x);
    return 0;
}
