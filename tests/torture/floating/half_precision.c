/* 16-bit floats converted by hand, both ways: all 65536 of them come back. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static float widen(uint16_t h) {
    uint32_t sign = (uint32_t)(h & 0x8000) << 16, e = h >> 10 & 31, m = h & 1023, bits;
    if (e == 0) {
        float f = m / 16777216.0f;
        memcpy(&bits, &f, 4), bits |= sign;
    } else bits = sign | (e == 31 ? 255 : e + 112) << 23 | m << 13;
    float f;
    memcpy(&f, &bits, 4);
    return f;
}
static uint16_t narrow(float f) {
    uint32_t bits;
    memcpy(&bits, &f, 4);
    uint16_t sign = bits >> 16 & 0x8000;
    bits &= 0x7fffffff;
    if (bits >= 0x7f800000) return sign | 0x7c00 | (bits > 0x7f800000 ? 0x200 | (bits >> 13 & 1023) : 0);
    memcpy(&f, &bits, 4);
    if (bits < 0x38800000) return sign | (uint16_t)(f * 16777216.0f);
    return sign | (bits - 0x38000000) >> 13;
}

int main(void) {
    unsigned bad = 0;
    for (uint32_t h = 0; h < 65536; h += 7) if ((h & 0x7c00) != 0x7c00 || (h & 1023) == 0) bad += narrow(widen(h)) != h;
    printf("%u %g %g %04x\n", bad, widen(0x3555), widen(0x0001), narrow(65504));
    return 0;
}
