/* An LZ77 compressor with hashed matches and its decompressor, over texts and noise; and run lengths and Huffman code lengths. */
#include <stdio.h>
#include <stdlib.h>

#include "testing.h"

enum { MOST = 4096, HASHES = 512 };

static unsigned hash3(const unsigned char *p) { return ((unsigned)p[0] * 2654435761u ^ (unsigned)p[1] * 40503u ^ (unsigned)p[2] * 2057u) >> 4 & (HASHES - 1); }

/* 0LLLLLLL literals follow; 1LLLLLLL DDDDDDDD DDDDDDDD copies L + 3 bytes from D back. */
static size_t compress(const unsigned char *in, size_t n, unsigned char *out) {
    int last[HASHES];
    memset(last, -1, sizeof last);
    unsigned char *o = out, *count = NULL;
    for (size_t i = 0; i < n;) {
        size_t length = 0, from = 0;
        if (i + 3 <= n) {
            unsigned h = hash3(in + i);
            if (last[h] >= 0) {
                from = (size_t)last[h];
                while (length < 130 && i + length < n && in[from + length] == in[i + length]) length++;
            }
            last[h] = (int)i;
        }
        if (length >= 4) {
            *o++ = (unsigned char)(0x80 | (length - 3));
            *o++ = (unsigned char)(i - from);
            *o++ = (unsigned char)((i - from) >> 8);
            i += length;
            count = NULL;
        } else {
            if (!count || *count == 127) { count = o++; *count = 0; }
            ++*count;
            *o++ = in[i++];
        }
    }
    return (size_t)(o - out);
}

static size_t expand(const unsigned char *in, size_t n, unsigned char *out) {
    unsigned char *o = out;
    for (const unsigned char *end = in + n; in < end;) {
        int control = *in++;
        if (control & 0x80) {
            const unsigned char *from = o - (in[0] | in[1] << 8);
            for (int k = (control & 0x7f) + 3; k; k--) *o++ = *from++;
            in += 2;
        } else {
            for (int k = control; k; k--) *o++ = *in++;
        }
    }
    return (size_t)(o - out);
}

/* Total Huffman-coded length in bits, by merging the two rarest again and again. */
static unsigned huffman_bits(const unsigned char *p, size_t n) {
    unsigned weight[256] = {0}, total = 0;
    while (n--) weight[*p++]++;
    for (;;) {
        int a = -1, b = -1;
        for (int i = 0; i < 256; i++) {
            if (!weight[i]) continue;
            if (a < 0 || weight[i] < weight[a]) { b = a; a = i; }
            else if (b < 0 || weight[i] < weight[b]) b = i;
        }
        if (b < 0) return total;
        total += weight[a] += weight[b];
        weight[b] = 0;
    }
}

static void check(const char *name, const unsigned char *data, size_t n) {
    static unsigned char packed[MOST * 2], back[MOST];
    size_t m = compress(data, n, packed), k = expand(packed, m, back);
    printf("%s: %zu -> %zu (%08x), %s, huffman %u bits\n", name, n, m, hash_bytes(HASH_START, packed, m), k == n && !memcmp(back, data, n) ? "restored" : "DAMAGED", huffman_bits(data, n));
}

int main(void) {
    static unsigned char data[MOST];
    size_t n = 0;
    for (int i = 99; i > 79; i--) n += (size_t)sprintf((char *)data + n, "%d bottles of beer on the wall, %d bottles of beer. Take one down, pass it around. ", i, i);
    check("song", data, n);
    uint32_t random = 6;
    for (n = 0; n < 1500; n++) data[n] = (unsigned char)next_random(&random);
    check("noise", data, n);
    memset(data, 'z', 2000);
    check("one letter", data, 2000);
    for (n = 0; n < 2500; n++) data[n] = "abcab"[next_random(&random) % 5];
    check("three letters", data, n);
    check("nothing", data, 0);
    check("little", data, 2);
    return 0;
}
