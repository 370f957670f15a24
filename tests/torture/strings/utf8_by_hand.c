/* UTF-8 decoded and encoded by hand, bad sequences found. */
#include <stdint.h>
#include <stdio.h>

static int decode(const unsigned char *p, uint32_t *c) {
    int n = p[0] < 0x80 ? 1 : (p[0] & 0xe0) == 0xc0 ? 2 : (p[0] & 0xf0) == 0xe0 ? 3 : (p[0] & 0xf8) == 0xf0 ? 4 : 0;
    if (!n) return 0;
    *c = n == 1 ? p[0] : p[0] & (0xff >> (n + 1));
    for (int i = 1; i < n; i++) {
        if ((p[i] & 0xc0) != 0x80) return 0;
        *c = *c << 6 | (p[i] & 0x3f);
    }
    return n;
}

int main(void) {
    static const unsigned char text[] = "a\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80z\xc3z\xff!";
    for (const unsigned char *p = text; *p;) {
        uint32_t c;
        int n = decode(p, &c);
        if (n) printf("%x ", (unsigned)c), p += n;
        else printf("bad "), p++;
    }
    puts("");
    return 0;
}
