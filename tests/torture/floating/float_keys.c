/* Floats as bits: ordered integers, sorting by them, distance in last places. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint32_t key(float f) {
    uint32_t b;
    memcpy(&b, &f, 4);
    return b & 0x80000000u ? ~b : b | 0x80000000u;
}

int main(void) {
    float v[] = {3.5f, -2, 1e-40f, 0, -1e20f, 7, -0.5f, 3.4999998f};
    for (int i = 1; i < 8; i++)
        for (int j = i; j > 0 && key(v[j - 1]) > key(v[j]); j--) {
            float t = v[j];
            v[j] = v[j - 1], v[j - 1] = t;
        }
    for (int i = 0; i < 8; i++) printf("%g ", v[i]);
    printf("%u\n", key(3.5f) - key(3.4999998f));
    return 0;
}
