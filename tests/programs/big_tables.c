/* Tables of 64 KiB: one that nobody writes to, one that the program changes here and there, and one of zeros but for its end. */
#include <stdio.h>
#include <string.h>

#include "testing.h"

#define T4(x) (x), (x) * 3u, (x) ^ 0x55u, (x) * 0x9e3779b9u
#define T16(x) T4(x), T4((x) + 100u), T4((x) * 7u), T4(~(x))
#define T64(x) T16(x), T16((x) + 1000u), T16((x) * 11u), T16((x) ^ 0xabcdu)
#define T256(x) T64(x), T64((x) + 10000u), T64((x) * 13u), T64((x) ^ 0x123456u)
#define T1024(x) T256(x), T256((x) + 100000u), T256((x) * 17u), T256((x) ^ 0x987654u)
#define T4096(x) T1024(x), T1024((x) + 1000000u), T1024((x) * 19u), T1024((x) ^ 0xfedcbau)
#define T16384(x) T4096(x), T4096((x) + 3u), T4096((x) * 23u), T4096((x) ^ 0x13579bdfu)

static const uint32_t constant[] = {T16384(1u)};
static uint32_t changed[] = {T16384(2u)};
static uint32_t mostly_zero[16384] = {[16383] = 77u};

static uint32_t sum(const uint32_t *words, unsigned count) {
    uint32_t total = 0;
    for (unsigned i = 0; i < count; i++) total = total * 31u + words[i];
    return total;
}

int main(void) {
    printf("at first: %08x %08x %08x\n", sum(constant, 16384), sum(changed, 16384), sum(mostly_zero, 16384));
    uint32_t at = 12345u;
    for (unsigned i = 0; i < 40; i++) {
        at = at * 1664525u + constant[at >> 18];
        changed[at >> 18] ^= at;
        if (i % 8 == 0) mostly_zero[at >> 18] = i;
        if (i % 10 == 9) printf("after %u: %08x %08x\n", i + 1, sum(changed, 16384), sum(mostly_zero, 16384));
    }
    memset(changed + 4000, 0, 4 * 5000);
    memmove(changed, changed + 9000, 4 * 7000);
    printf("moved: %08x; the constants are still %08x\n", sum(changed, 16384), sum(constant, 16384));
    return 0;
}
