/* Integer promotions and conversions: narrow types in expressions, sign of char, mixed signed and unsigned, bool, wrapping casts. */
#include <stdbool.h>
#include <stdio.h>

#include "testing.h"

int main(void) {
    char plain = (char)0xf0;
    printf("plain char is %s here: %d\n", plain < 0 ? "signed" : "unsigned", plain);
    signed char sc = -56;
    unsigned char uc = 200;
    short ss = -25536;
    unsigned short us = 40000;
    int i = -1;
    unsigned u = 1;
    long long ll = -1;
    printf("%d %d %d %d\n", sc + uc, sc * uc, ss + us, ss * 2);
    printf("%d %d %d\n", i < (int)u, (unsigned)i < u, ll < u);
    printf("%d %d %d\n", sc == (signed char)uc, uc == 200, sc < uc);
    printf("%u %lld %llu\n", i + u + u, ll + u, (unsigned long long)ll * u);
    printf("%d %d %d\n", ~uc, (unsigned char)~uc, -us);
    printf("%d %d %d\n", uc << 4, (unsigned char)(uc << 4), us >> 3);
    printf("%d %d %d %d\n", (signed char)300, (unsigned char)-1, (short)70000, (unsigned short)-2);
    printf("%d %u %lld\n", (int)3000000000u, (unsigned)-5, (long long)(unsigned)-5);
    uc += 100; us -= 50000; sc = (signed char)(sc - 100); ss = (short)(ss * 3);
    printf("%d %d %d %d\n", uc, us, sc, ss);
    uc = 255; sc = 127; us = 65535;
    uc++; us++;
    printf("%d %d %d\n", uc, us, (signed char)(sc + 1));
    bool yes = 256, no = 0.0, half = 0.5;
    const char *volatile text = "x";
    bool pointer = text;
    printf("%d %d %d %d %d\n", yes, no, half, pointer, (bool)0x100000000LL);
    yes += 5;
    printf("%d %zu\n", yes, sizeof yes);
    int v = 5;
    printf("%d %d %d\n", !v, !!v, !0);
    printf("%d %d\n", 'a' + 1, '\xff' < 0 ? -1 : 1);
    printf("%zu %zu %zu %zu\n", sizeof(char), sizeof(short), sizeof(int), sizeof(long long));
    printf("%d\n", (1 ? -1 : 0u) > 0);
    volatile unsigned char a = 0x80, b = 0x80;
    printf("%d %d\n", a + b, (unsigned)a << 24 == 0x80000000u);

    /* Narrow loads, stores and arithmetic in quantity. */
    signed char sbytes[64]; unsigned char ubytes[64]; short shorts[64]; unsigned short ushorts[64];
    uint32_t random = 21, sum = HASH_START;
    for (int k = 0; k < 64; k++) {
        uint32_t r = next_random(&random);
        sbytes[k] = (signed char)r; ubytes[k] = (unsigned char)(r >> 8); shorts[k] = (short)(r >> 11); ushorts[k] = (unsigned short)(r >> 3);
    }
    for (int round = 0; round < 10; round++)
        for (int k = 0; k < 64; k++) {
            int m = (k * 7 + round) % 64;
            sbytes[k] = (signed char)(sbytes[k] * 3 + ubytes[m]);
            ubytes[m] = (unsigned char)(ubytes[m] - shorts[k]);
            shorts[k] = (short)(shorts[k] + sbytes[m] * ushorts[k] % 1000);
            ushorts[m] = (unsigned short)(ushorts[m] >> 1 ^ shorts[m]);
            sum = hash_u32(sum, (uint32_t)(sbytes[k] + ubytes[m] * 2 + shorts[k] * 3 + ushorts[m] * 4));
            sum = hash_u32(sum, (uint32_t)((sbytes[k] < ubytes[k]) | (shorts[k] < ushorts[k]) << 1 | (sbytes[k] == shorts[m]) << 2));
        }
    printf("%08x\n", sum);
    return 0;
}
