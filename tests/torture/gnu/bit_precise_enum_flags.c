/* Flags, masks and sets of bits in enumerations and 64-bit words. */
#include <stdio.h>

enum flag { READ = 1 << 0, WRITE = 1 << 1, RUN = 1 << 2, ALL = READ | WRITE | RUN };
struct set { unsigned long long bits[2]; };
static struct set with(struct set s, int i) { s.bits[i >> 6] |= 1ull << (i & 63); return s; }
static int has(const struct set *s, int i) { return s->bits[i >> 6] >> (i & 63) & 1; }

int main(void) {
    enum flag f = READ | RUN;
    f &= ~READ;
    f ^= ALL;
    struct set s = {{0}};
    for (int i = 0; i < 128; i += 9) s = with(s, i);
    int count = 0;
    for (int i = 0; i < 128; i++) count += has(&s, i);
    printf("%d %d %llx %llx\n", f, count, s.bits[0], s.bits[1]);
    return 0;
}
