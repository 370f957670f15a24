/* MD5, with its table of constants made from sin() as its definition says. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "testing.h"

static uint32_t constant[64];
static const int shifts[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};

static void md5(const char *text) {
    size_t length = strlen(text), padded = (length + 8) / 64 * 64 + 64;
    unsigned char *bytes = calloc(padded, 1);
    memcpy(bytes, text, length);
    bytes[length] = 0x80;
    for (int i = 0; i < 8; i++) bytes[padded - 8 + i] = (unsigned char)((uint64_t)length * 8 >> (8 * i));
    uint32_t state[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
    for (size_t at = 0; at < padded; at += 64) {
        uint32_t m[16], a = state[0], b = state[1], c = state[2], d = state[3];
        memcpy(m, bytes + at, 64);
        for (int i = 0; i < 64; i++) {
            uint32_t f;
            int g;
            switch (i / 16) {
            case 0: f = (b & c) | (~b & d); g = i; break;
            case 1: f = (d & b) | (~d & c); g = (5 * i + 1) % 16; break;
            case 2: f = b ^ c ^ d; g = (3 * i + 5) % 16; break;
            default: f = c ^ (b | ~d); g = 7 * i % 16; break;
            }
            f += a + constant[i] + m[g];
            a = d; d = c; c = b;
            int s = shifts[i / 16][i % 4];
            b += f << s | f >> (32 - s);
        }
        state[0] += a; state[1] += b; state[2] += c; state[3] += d;
    }
    free(bytes);
    for (int i = 0; i < 16; i++) printf("%02x", state[i / 4] >> (8 * (i % 4)) & 0xff);
    printf(" \"%s\"\n", text);
}

int main(void) {
    for (int i = 0; i < 64; i++) constant[i] = (uint32_t)(fabs(sin(i + 1)) * 4294967296.0);
    printf("%08x %08x\n", constant[0], constant[63]);
    static const char *texts[] = {"", "a", "abc", "message digest", "abcdefghijklmnopqrstuvwxyz", "12345678901234567890123456789012345678901234567890123456789012345678901234567890"};
    for (int i = 0; i < 6; i++) md5(texts[i]);
    return 0;
}
