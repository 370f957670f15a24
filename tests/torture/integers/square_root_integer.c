/* Integer square roots by bits and by Newton, of 32 and 64 bits. */
#include <stdint.h>
#include <stdio.h>

static uint32_t by_bits(uint64_t x) {
    uint64_t root = 0, bit = 1ull << 62;
    while (bit > x) bit >>= 2;
    for (; bit; bit >>= 2)
        if (x >= root + bit) x -= root + bit, root = (root >> 1) + bit;
        else root >>= 1;
    return root;
}
static uint32_t by_newton(uint32_t x) {
    if (x < 2) return x;
    uint32_t r = x / 2;
    for (uint32_t next; (next = (r + x / r) / 2) < r;) r = next;
    return r;
}

int main(void) {
    static const uint64_t v[] = {0, 1, 2, 3, 4, 99, 100, 65535, 65536, 0xfffe0001, 0xffffffff, 0x100000000ull, 0xfffffffe00000001ull, ~0ull};
    for (int i = 0; i < 14; i++) printf("%u %u\n", by_bits(v[i]), by_newton(v[i]));
    return 0;
}
