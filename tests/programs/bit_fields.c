/* Bit fields: signed, unsigned, across byte and word borders, packed, 64-bit, in unions, wrapping on assignment. */
#include <stdio.h>

#include "testing.h"

typedef struct { unsigned a : 3, b : 5, c : 8, d : 16; } Exact;
typedef struct { signed a : 3; signed b : 7; signed c : 13; unsigned d : 1; } Signed;
typedef struct { unsigned a : 20; unsigned b : 20; unsigned : 0; unsigned c : 4; } Split;
typedef struct { unsigned long long low : 33, middle : 20; long long high : 11; } Long;
typedef struct __attribute__((packed)) { unsigned a : 3; unsigned b : 30; signed c : 17; unsigned char d; unsigned e : 9; } Packed;
typedef struct { unsigned char flags : 4; unsigned char level : 4; unsigned short count : 9; _Bool on : 1; } Small;
typedef union { float f; struct { uint32_t mantissa : 23, exponent : 8, sign : 1; } part; } Float;

static uint32_t hash_of(const void *p, size_t n) { return hash_bytes(HASH_START, p, n); }

int main(void) {
    Exact e = {5, 17, 200, 40000};
    printf("%u %u %u %u, size %zu, %08x\n", e.a, e.b, e.c, e.d, sizeof e, hash_of(&e, sizeof e));
    volatile unsigned big = 0xabcdef;
    e.a = big & 7; e.b = big >> 3 & 31; e.c = big & 0xff; e.d = big & 0xffff;
    printf("%u %u %u %u\n", e.a, e.b, e.c, e.d);
    e.a++; e.b += 31; e.c -= 255; e.d <<= 3;
    printf("%u %u %u %u\n", e.a, e.b, e.c, e.d);

    Signed s = {-4, 63, -4096, 1};
    printf("%d %d %d %u, size %zu\n", s.a, s.b, s.c, s.d, sizeof s);
    for (int i = -4; i < 4; i++) { s.a = i; s.b = i * 16; s.c = s.b * s.a; printf("%d,%d,%d ", s.a, s.b, s.c); }
    printf("\n");
    s.d = 2 & 1; printf("%u %d\n", s.d, s.a < 0 ? -1 : 1);

    Split p = {0xfffff, 0x12345, 9};
    p.a ^= p.b; p.b = p.a + p.b; p.c = p.c >> 1;
    printf("%x %x %x, size %zu\n", p.a, p.b, p.c, sizeof p);

    Long l = {0x1fffffffful, 0xabcde, -1};
    printf("%llx %llx %d, size %zu\n", (unsigned long long)l.low, (unsigned long long)l.middle, (int)l.high, sizeof l);
    l.low += 3; l.middle *= 5; l.high = l.high * 700 + 1;
    printf("%llx %llx %d\n", (unsigned long long)l.low, (unsigned long long)l.middle, (int)l.high);

    Packed k = {5, 0x2aaaaaaa, -65536, 200, 511};
    printf("%u %x %d %u %u, size %zu\n", k.a, k.b, k.c, k.d, k.e, sizeof k);
    Packed array[3] = {k, k, k};
    array[1].b = ~array[1].b; array[2].c = -array[1].c / 3; array[0].e--; array[1].d += 100;
    printf("%x %d %u %u\n", array[1].b, array[2].c, array[0].e, array[1].d);
    unsigned char zeroed[sizeof(Packed)] = {0};
    Packed clear; memcpy(&clear, zeroed, sizeof clear);
    clear.b = 0x3fffffff; printf("%08x\n", hash_of(&clear, sizeof clear));

    Small m = {15, 9, 511, 1};
    m.level = (unsigned char)((m.level << 1) & 15); m.count = (m.count + 2u) & 511; m.on = !m.on;
    printf("%u %u %u %d\n", m.flags, m.level, m.count, m.on);

    static const float values[] = {1.0f, -2.5f, 0.1f, 1e30f, 0.0f};
    for (int i = 0; i < 5; i++) { Float f = {values[i]}; printf("%u/%u/%x ", f.part.sign, f.part.exponent, f.part.mantissa); }
    printf("\n");

    /* A field-wise counter against a plain one. */
    Exact counter = {0, 0, 0, 0};
    uint32_t random = 3, plain[4] = {0};
    for (int i = 0; i < 2000; i++) {
        uint32_t r = next_random(&random);
        counter.a += r; plain[0] = (plain[0] + r) & 7;
        counter.b ^= r >> 4; plain[1] = (plain[1] ^ r >> 4) & 31;
        counter.c -= r >> 9; plain[2] = (plain[2] - (r >> 9)) & 255;
        counter.d *= r | 1; plain[3] = (plain[3] * (r | 1)) & 65535;
        counter.d |= r & 1; plain[3] |= r & 1;
    }
    printf("%u %u %u %u %s\n", counter.a, counter.b, counter.c, counter.d,
           counter.a == plain[0] && counter.b == plain[1] && counter.c == plain[2] && counter.d == plain[3] ? "agree" : "differ");
    return 0;
}
