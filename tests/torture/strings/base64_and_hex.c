/* Base 64 and hexadecimal there and back for every length. */
#include <stdio.h>
#include <string.h>

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
static int encode(const unsigned char *in, int n, char *out) {
    char *start = out;
    for (int i = 0; i < n; i += 3) {
        unsigned w = in[i] << 16 | (i + 1 < n ? in[i + 1] << 8 : 0) | (i + 2 < n ? in[i + 2] : 0);
        *out++ = digits[w >> 18], *out++ = digits[w >> 12 & 63], *out++ = i + 1 < n ? digits[w >> 6 & 63] : '=', *out++ = i + 2 < n ? digits[w & 63] : '=';
    }
    *out = 0;
    return out - start;
}
static int decode(const char *in, unsigned char *out) {
    unsigned char *start = out;
    for (; *in; in += 4) {
        unsigned w = 0;
        int pad = (in[2] == '=') + (in[3] == '=');
        for (int i = 0; i < 4; i++) w = w << 6 | (in[i] == '=' ? 0 : strchr(digits, in[i]) - digits);
        *out++ = w >> 16;
        if (pad < 2) *out++ = w >> 8;
        if (pad < 1) *out++ = w;
    }
    return out - start;
}

int main(void) {
    unsigned char bytes[40], back[48];
    char text[64];
    int bad = 0;
    for (int i = 0; i < 40; i++) bytes[i] = i * 41 + 200;
    for (int n = 0; n < 40; n++) encode(bytes, n, text), bad += decode(text, back) != n || memcmp(bytes, back, n) != 0;
    printf("%d %s\n", bad, text);
    return 0;
}
