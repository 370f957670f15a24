/* Saturating arithmetic of 8, 16 and 32 bits, by wider types and by overflow tests. */
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

static int8_t add8(int8_t a, int8_t b) { int s = a + b; return s > 127 ? 127 : s < -128 ? -128 : s; }
static uint16_t sub16(uint16_t a, uint16_t b) { return a > b ? a - b : 0; }
static int add32(int a, int b) { int s; return __builtin_add_overflow(a, b, &s) ? (a < 0 ? INT_MIN : INT_MAX) : s; }
static int mul32(int a, int b) { long long p = (long long)a * b; return p > INT_MAX ? INT_MAX : p < INT_MIN ? INT_MIN : p; }

int main(void) {
    static volatile int v[] = {INT_MIN, -70000, -129, -1, 0, 1, 100, 127, 40000, INT_MAX};
    for (int i = 0; i < 10; i++)
        for (int j = 0; j < 10; j++) printf("%d %d %d %d ", add8(v[i], v[j]), sub16(v[i], v[j]), add32(v[i], v[j]), mul32(v[i], v[j]));
    puts("");
    return 0;
}
