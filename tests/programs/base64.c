/* Base64 and hexadecimal, there and back, every remainder, with bad input refused. */
#include <stdio.h>

#include "testing.h"

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static size_t encode(const unsigned char *from, size_t n, char *to) {
    char *start = to;
    for (size_t i = 0; i < n; i += 3) {
        unsigned long word = (unsigned long)from[i] << 16 | (i + 1 < n ? (unsigned long)from[i + 1] << 8 : 0) | (i + 2 < n ? from[i + 2] : 0u);
        *to++ = alphabet[word >> 18 & 63];
        *to++ = alphabet[word >> 12 & 63];
        *to++ = i + 1 < n ? alphabet[word >> 6 & 63] : '=';
        *to++ = i + 2 < n ? alphabet[word & 63] : '=';
    }
    *to = 0;
    return (size_t)(to - start);
}

/* Number of bytes; -1 for text that is not base64. */
static long decode(const char *from, unsigned char *to) {
    unsigned char *start = to;
    for (size_t n = strlen(from); n; n -= 4, from += 4) {
        if (n < 4) return -1;
        unsigned word = 0;
        int padding = 0;
        for (int i = 0; i < 4; i++) {
            const char *place = from[i] == '=' ? NULL : strchr(alphabet, from[i]);
            if (from[i] == '=') padding++;
            else if (!place || padding) return -1;
            word = word << 6 | (place ? (unsigned)(place - alphabet) : 0);
        }
        if (padding > 2 || (padding && n != 4)) return -1;
        for (int i = 0; i < 3 - padding; i++) *to++ = (unsigned char)(word >> (16 - 8 * i));
    }
    return to - start;
}

int main(void) {
    static const char *texts[] = {"", "f", "fo", "foo", "foob", "fooba", "foobar", "Many hands make light work."};
    char coded[500];
    unsigned char back[400];
    for (int i = 0; i < 8; i++) {
        size_t n = encode((const unsigned char *)texts[i], strlen(texts[i]), coded);
        long m = decode(coded, back);
        printf("%zu %s %ld %d\n", n, coded, m, (size_t)m == strlen(texts[i]) && !memcmp(back, texts[i], (size_t)m));
    }
    static const char *bad[] = {"a", "abc", "ab=c", "====", "ab$d", "ab==abcd"};
    for (int i = 0; i < 6; i++) printf("%ld ", decode(bad[i], back));
    printf("\n");
    unsigned char bytes[300];
    uint32_t random = 123, sum = HASH_START;
    for (size_t n = 0; n < 300; n += 13) {
        for (size_t i = 0; i < n; i++) bytes[i] = (unsigned char)next_random(&random);
        size_t length = encode(bytes, n, coded);
        sum = hash_bytes(sum, coded, length);
        if (decode(coded, back) != (long)n || memcmp(bytes, back, n)) printf("wrong at %zu\n", n);
    }
    printf("%08x\n", sum);
    return 0;
}
