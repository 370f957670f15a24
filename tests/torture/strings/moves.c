/* memmove and memcmp at all places of a word, up and down, over themselves and apart, of lengths around those of words. */
#include <stdio.h>
#include <string.h>

static unsigned char moved[256], wanted[256], kept[256];

static int sign(int x) { return (x > 0) - (x < 0); }

int main(void) {
    unsigned sum = 0;
    for (int bytes = 0; bytes < 100; bytes += bytes < 20 ? 1 : 7) {
        const int step = bytes < 20 ? 3 : 5;
        for (int from = 0; from < 26; from += step)
            for (int to = 0; to < 26; to += 1 + step / 5) {
                for (int i = 0; i < 256; i++) moved[i] = wanted[i] = (unsigned char)(i * 7 + bytes);
                if (memmove(moved + to, moved + from, bytes) != moved + to) puts("another place");
                for (int i = 0; i < bytes; i++) kept[i] = wanted[from + i];
                for (int i = 0; i < bytes; i++) wanted[to + i] = kept[i];
                for (int i = 0; i < 256; i++)
                    if (moved[i] != wanted[i]) return printf("%d bytes from %d to %d: wrong at %d\n", bytes, from, to, i), 1;
                sum = sum * 31 + moved[to];
            }
    }
    for (int bytes = 0; bytes < 24; bytes++)
        for (int a = 0; a < 4; a++)
            for (int b = 0; b < 4; b++)
                for (int at = 0; at <= bytes; at++) {
                    memset(moved, 0x7f, sizeof moved);
                    memset(wanted, 0x7f, sizeof wanted);
                    moved[a + at] = 0x81; /* behind all that is compared where at == bytes */
                    if (at + 1 < bytes) wanted[b + at + 1] = 0xff;
                    const int expected = at < bytes;
                    if (sign(memcmp(moved + a, wanted + b, bytes)) != expected || sign(memcmp(wanted + b, moved + a, bytes)) != -expected)
                        return printf("%d bytes at %d and %d: wrong where they differ at %d\n", bytes, a, b, at), 1;
                }
    printf("%u\n", sum);
    return 0;
}
