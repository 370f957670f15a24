/* float operations on random bit patterns and special values; every result counts by its bits, NaNs being all the same. */
#include <math.h>
#include <stdio.h>

#include "testing.h"

static const uint32_t special[] = {0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x00800000, 0x3f800000, 0xbf800000, 0x3f800001, 0x3effffff, 0x4b000001,
    0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0x34000000, 0x4f000000, 0x5f000000, 0x40490fdb};
enum { SPECIALS = sizeof special / sizeof *special };

static float operand(uint32_t *random) {
    uint32_t r = next_random(random);
    switch (r & 3) {
    case 0: return float_of_bits(special[(r >> 4) % SPECIALS]);
    case 1: return float_of_bits(next_random(random) & 0xff7fffffu);
    case 2: return (float)(int32_t)next_random(random);
    default: return (float)((int32_t)next_random(random) >> (r >> 5 & 31)) / 1024;
    }
}

static uint32_t result(uint32_t sum, float value) { return hash_u32(sum, same_nan_float(value)); }

static uint32_t apply(unsigned op, float a, float b, uint32_t sum) {
    switch (op) {
    case 0: return result(sum, a + b);
    case 1: return result(sum, a - b);
    case 2: return result(sum, a * b);
    case 3: return result(sum, a / b);
    case 4: return result(sum, -a * b);
    case 5: return result(sum, sqrtf(a));
    case 6: return result(sum, fabsf(a) + truncf(b));
    case 7: return hash_u32(sum, (uint32_t)(a < b) | (uint32_t)(a <= b) << 1 | (uint32_t)(a == b) << 2 | (uint32_t)(a > b) << 3 | (uint32_t)(a >= b) << 4 | (uint32_t)(a != b) << 5);
    case 8: return hash_u32(sum, (uint32_t)(!(a < b)) | (uint32_t)(!(a >= b)) << 1 | (uint32_t)(isunordered(a, b) != 0) << 2 | (uint32_t)(islessgreater(a, b) != 0) << 3);
    case 9: return a > -2147483648.0 && a < 2147483520.0 ? hash_u32(sum, (uint32_t)(int32_t)a) : hash_u32(sum, 1);
    case 10: return a > -1 && a < 4294967040.0 ? hash_u32(sum, (uint32_t)a) : hash_u32(sum, 2);
    case 11: return a > -9e18 && a < 9e18 ? hash_u64(sum, (uint64_t)(int64_t)a) : hash_u32(sum, 3);
    case 12: return a > -1 && a < 1.8e19 ? hash_u64(sum, (uint64_t)a) : hash_u32(sum, 4);
    case 13: return result(sum, a < b ? a : b);
    case 14: return result(sum, (a + b) * (a - b) + a / (b + 1));
    default: return hash_u64(sum, same_nan_double((double)a * (double)b));
    }
}

int main(void) {
    uint32_t random = 777, sum;
    for (unsigned op = 0; op < 16; op++) {
        sum = HASH_START;
        for (int i = 0; i < SPECIALS; i++)
            for (int j = 0; j < SPECIALS; j++) sum = apply(op, float_of_bits(special[i]), float_of_bits(special[j]), sum);
        printf("operation %u: %08x", op, sum);
        for (int i = 0; i < 100; i++) {
            float a = operand(&random);
            sum = apply(op, a, operand(&random), sum);
        }
        printf(" %08x\n", sum);
    }
    sum = HASH_START;
    for (int i = 0; i < 200; i++) {
        uint64_t bits = next_random64(&random);
        unsigned narrow = next_random(&random) & 63;
        sum = result(sum, (float)(int32_t)bits);
        sum = result(sum, (float)(uint32_t)bits);
        sum = result(sum, (float)((int64_t)bits >> narrow));
        sum = result(sum, (float)(bits >> narrow));
    }
    printf("from integers %08x\n", sum);
    float x = 1, y = (float)0.3;
    for (int i = 0; i < 300; i++) {
        x = x * y + 1 / (x + y);
        y = (float)3.9 * y * (1 - y);
    }
    printf("chaos %.17g %.17g\n", (double)x, (double)y);
    return 0;
}
