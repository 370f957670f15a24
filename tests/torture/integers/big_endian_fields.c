/* Numbers put together from bytes and taken apart, in both byte orders. */
#include <stdint.h>
#include <stdio.h>

static uint32_t be32(const uint8_t *p) { return (uint32_t)p[0] << 24 | p[1] << 16 | p[2] << 8 | p[3]; }
static uint32_t le32(const uint8_t *p) { return (uint32_t)p[3] << 24 | p[2] << 16 | p[1] << 8 | p[0]; }
static uint64_t be64(const uint8_t *p) { return (uint64_t)be32(p) << 32 | be32(p + 4); }
static void put16(uint8_t *p, unsigned x) { p[0] = x >> 8, p[1] = x; }

int main(void) {
    uint8_t bytes[12] = {0x80, 1, 0xff, 0x7f, 0xfe, 0xdc, 0xba, 0x98, 3, 4, 5, 6};
    for (int i = 0; i <= 4; i++) printf("%08x %08x %016llx\n", be32(bytes + i), le32(bytes + i), (unsigned long long)be64(bytes + i));
    put16(bytes + 3, 0xabcd);
    printf("%02x%02x%02x\n", bytes[2], bytes[3], bytes[4]);
    return bytes[4];
}
