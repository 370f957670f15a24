/* memmove, memcpy, memset and memcmp at all places of a word, of two where that matters, up and down, over themselves and apart, of lengths
 * around those of words. */
#include <stdio.h>
#include <string.h>

static unsigned char moved[256], wanted[256], kept[256];

static int are_wanted(void) {
    for (int i = 0; i < 256; i++)
        if (moved[i] != wanted[i]) return 0;
    return 1;
}

/* What is there already, and before and behind, stays. */
static int copies_and_sets(void) {
    for (int bytes = 0; bytes < 100; bytes += bytes < 20 ? 1 : 9)
        for (int from = 0; from < 8; from += 1 + (bytes > 40))
            for (int to = 120; to < 128; to += 1 + (bytes < 32)) {
                for (int i = 0; i < 256; i++) moved[i] = wanted[i] = (unsigned char)(i * 5 + bytes);
                if (memcpy(moved + to, moved + from, bytes) != moved + to) puts("another place");
                for (int i = 0; i < bytes; i++) wanted[to + i] = wanted[from + i];
                if (!are_wanted()) return printf("%d bytes copied from %d to %d\n", bytes, from, to), 0;
                if (memset(moved + to, 0x300 + bytes, bytes) != moved + to) puts("another place");
                for (int i = 0; i < bytes; i++) wanted[to + i] = (unsigned char)bytes;
                if (!are_wanted()) return printf("%d bytes set at %d\n", bytes, to), 0;
            }
    return 1;
}

static int sign(int x) { return (x > 0) - (x < 0); }

int main(void) {
    unsigned sum = 0;
    if (!copies_and_sets()) return 1;
    for (int bytes = 0; bytes < 100; bytes += bytes < 20 ? 1 : 7) {
        const int step = bytes < 20 ? 3 : 5;
        for (int from = 0; from < 26; from += step)
            for (int to = 0; to < 26; to += 1 + step / 5) {
                for (int i = 0; i < 256; i++) moved[i] = wanted[i] = (unsigned char)(i * 7 + bytes);
                if (memmove(moved + to, moved + from, bytes) != moved + to) puts("another place");
                for (int i = 0; i < bytes; i++) kept[i] = wanted[from + i];
                for (int i = 0; i < bytes; i++) wanted[to + i] = kept[i];
                if (!are_wanted()) return printf("%d bytes from %d to %d\n", bytes, from, to), 1;
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
