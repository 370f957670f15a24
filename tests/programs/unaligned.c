/* Unaligned data: packed structures, memcpy of every size at every offset, and pointers to packed members. */
#include <stdio.h>

#include "testing.h"

typedef struct __attribute__((packed)) { char tag; int number; short small; double real; char end; long long wide; float single; } Packed;
typedef struct __attribute__((packed)) { unsigned char a; unsigned short b; } Three;
typedef struct __attribute__((packed, aligned(2))) { unsigned char a; unsigned int b; } Even;
typedef struct { uint32_t value; } __attribute__((packed, may_alias)) Any32;
typedef struct { uint16_t value; } __attribute__((packed, may_alias)) Any16;
typedef struct { int16_t value; } __attribute__((packed, may_alias)) AnyS16;
typedef struct { uint64_t value; } __attribute__((packed, may_alias)) Any64;

int main(void) {
    unsigned char bytes[64];
    for (int i = 0; i < 64; i++) bytes[i] = (unsigned char)(i * 37 + 11);
    for (int i = 0; i < 9; i++) {
        uint16_t h; uint32_t w; uint64_t d; float f;
        memcpy(&h, bytes + i, 2); memcpy(&w, bytes + i, 4); memcpy(&d, bytes + i, 8); memcpy(&f, bytes + i, 4);
        printf("%04x %08x %016llx %s | ", h, w, (unsigned long long)d, bits_of_float(f) == w ? "same" : "differ");
        printf("%04x %d %08x %016llx\n", ((const Any16 *)(bytes + i))->value, ((const AnyS16 *)(bytes + i))->value, ((const Any32 *)(bytes + i))->value,
               (unsigned long long)((const Any64 *)(bytes + i))->value);
    }
    for (int i = 0; i < 8; i++) {
        ((Any32 *)(bytes + i * 5))->value = 0x01020304u * (unsigned)(i + 1);
        ((Any16 *)(bytes + 40 + i * 3))->value ^= 0xabcd;
        ((Any64 *)(bytes + i))->value += 0x1111111111111111ull;
    }
    printf("%08x\n", hash_bytes(HASH_START, bytes, sizeof bytes));

    Packed p = {'a', -123456789, -321, 2.718281828, 'z', -1234567890123456789LL, 0.5f};
    printf("%zu %c %d %d %.9f %c %lld %g\n", sizeof p, p.tag, p.number, p.small, p.real, p.end, p.wide, p.single);
    Packed list[5];
    for (int i = 0; i < 5; i++) {
        list[i] = p;
        list[i].number += i;
        list[i].small = (short)(list[i].small * i);
        list[i].real *= i;
        list[i].wide /= i + 1;
        list[i].single -= (float)i;
    }
    for (int i = 0; i < 5; i++) printf("%d %d %.6f %lld %g\n", list[i].number, list[i].small, list[i].real, list[i].wide, list[i].single);
    printf("%08x\n", hash_bytes(HASH_START, list, sizeof list));

    Three three[4] = {{1, 2}, {3, 0xffff}, {255, 256}, {0, 0}};
    for (int i = 0; i < 4; i++) three[3].b = (unsigned short)(three[3].b + three[i].b + three[i].a);
    Even even[2] = {{1, 0xdeadbeef}, {2, 0}};
    even[1].b = even[0].b >> 8;
    printf("%u %zu %zu %x\n", three[3].b, sizeof three, sizeof even, even[1].b);

    /* Every offset of source and target, every short length, against a copy byte by byte. */
    uint32_t sum = HASH_START;
    for (int from = 0; from < 4; from++)
        for (int to = 0; to < 4; to++)
            for (int n = 0; n < 20; n++) {
                unsigned char target[32];
                memset(target, 0xee, sizeof target);
                memcpy(target + to, bytes + from, (size_t)n);
                sum = hash_bytes(sum, target, sizeof target);
            }
    printf("%08x\n", sum);
    return 0;
}
