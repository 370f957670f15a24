/* CRC-32 (table and bit by bit), Adler-32, Fletcher-16, CRC-16: byte loops, shifts, 16-bit wrapping. */
#include <stdio.h>

#include "testing.h"

static uint32_t table[256];

static void make_table(void) {
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t c = i;
        for (int bit = 0; bit < 8; bit++) c = c & 1 ? c >> 1 ^ 0xedb88320u : c >> 1;
        table[i] = c;
    }
}

static uint32_t crc32(const unsigned char *p, size_t n) {
    uint32_t c = 0xffffffffu;
    while (n--) c = c >> 8 ^ table[(c ^ *p++) & 0xff];
    return ~c;
}

static uint32_t crc32_slow(const unsigned char *p, size_t n) {
    uint32_t c = 0xffffffffu;
    while (n--) {
        c ^= *p++;
        for (int bit = 0; bit < 8; bit++) c = c >> 1 ^ (0xedb88320u & -(c & 1));
    }
    return ~c;
}

static uint32_t adler32(const unsigned char *p, size_t n) {
    uint32_t a = 1, b = 0;
    while (n--) { a = (a + *p++) % 65521; b = (b + a) % 65521; }
    return b << 16 | a;
}

static unsigned fletcher16(const unsigned char *p, size_t n) {
    unsigned char a = 0, b = 0;
    while (n--) { unsigned s = a + *p++; a = (unsigned char)(s % 255); b = (unsigned char)((b + a) % 255); }
    return (unsigned)b << 8 | a;
}

static unsigned short crc16(const unsigned char *p, size_t n) {
    unsigned short c = 0xffff;
    while (n--) {
        c = (unsigned short)(c ^ *p++ << 8);
        for (int bit = 0; bit < 8; bit++) c = (unsigned short)(c & 0x8000 ? c << 1 ^ 0x1021 : c << 1);
    }
    return c;
}

int main(void) {
    make_table();
    const unsigned char *check = (const unsigned char *)"123456789";
    printf("%08x %08x %08x %04x %04x\n", crc32(check, 9), crc32_slow(check, 9), adler32(check, 9), fletcher16(check, 9), crc16(check, 9));
    unsigned char data[1000];
    uint32_t random = 17;
    for (int i = 0; i < 1000; i++) data[i] = (unsigned char)next_random(&random);
    for (size_t n = 0; n <= 1000; n += 125)
        printf("%zu: %08x %08x %08x %04x %04x\n", n, crc32(data, n), crc32_slow(data + 1000 - n, n / 4), adler32(data, n), fletcher16(data, n), crc16(data, n));
    printf("table %08x\n", hash_bytes(HASH_START, table, sizeof table));
    return 0;
}
