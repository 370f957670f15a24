/* double operations on random bit patterns and special values; every result counts by its bits, NaNs being all the same. */
#include <math.h>
#include <stdio.h>

#include "testing.h"

static const uint64_t special[] = {0x0000000000000000, 0x8000000000000000, 0x0000000000000001, 0x8000000000000001, 0x000fffffffffffff, 0x0010000000000000, 0x3ff0000000000000,
    0xbff0000000000000, 0x3ff0000000000001, 0x3fdfffffffffffff, 0x4330000000000001, 0x7fefffffffffffff, 0xffefffffffffffff, 0x7ff0000000000000,
    0xfff0000000000000, 0x7ff8000000000000, 0x3cb0000000000000, 0x41e0000000000000, 0x43e0000000000000, 0x400921fb54442d18};
enum { SPECIALS = sizeof special / sizeof *special };

static double operand(uint32_t *random) {
    uint32_t r = next_random(random);
    switch (r & 3) {
    case 0: return double_of_bits(special[(r >> 4) % SPECIALS]);
    case 1: return double_of_bits(next_random64(random) & 0xffefffffffffffffull);
    case 2: return (double)(int32_t)next_random(random);
    default: return (double)((int32_t)next_random(random) >> (r >> 5 & 31)) / 1024;
    }
}

static uint32_t result(uint32_t sum, double value) { return hash_u64(sum, same_nan_double(value)); }

static uint32_t apply(unsigned op, double a, double b, uint32_t sum) {
    switch (op) {
    case 0: return result(sum, a + b);
    case 1: return result(sum, a - b);
    case 2: return result(sum, a * b);
    case 3: return result(sum, a / b);
    case 4: return result(sum, -a * b);
    case 5: return result(sum, sqrt(a));
    case 6: return result(sum, fabs(a) + trunc(b));
    case 7: return hash_u32(sum, (uint32_t)(a < b) | (uint32_t)(a <= b) << 1 | (uint32_t)(a == b) << 2 | (uint32_t)(a > b) << 3 | (uint32_t)(a >= b) << 4 | (uint32_t)(a != b) << 5);
    case 8: return hash_u32(sum, (uint32_t)(!(a < b)) | (uint32_t)(!(a >= b)) << 1 | (uint32_t)(isunordered(a, b) != 0) << 2 | (uint32_t)(islessgreater(a, b) != 0) << 3);
    case 9: return a > -2147483648.0 && a < 2147483520.0 ? hash_u32(sum, (uint32_t)(int32_t)a) : hash_u32(sum, 1);
    case 10: return a > -1 && a < 4294967040.0 ? hash_u32(sum, (uint32_t)a) : hash_u32(sum, 2);
    case 11: return a > -9e18 && a < 9e18 ? hash_u64(sum, (uint64_t)(int64_t)a) : hash_u32(sum, 3);
    case 12: return a > -1 && a < 1.8e19 ? hash_u64(sum, (uint64_t)a) : hash_u32(sum, 4);
    case 13: return result(sum, a < b ? a : b);
    case 14: return result(sum, (a + b) * (a - b) + a / (b + 1));
    default: return hash_u32(sum, same_nan_float((float)a));
    }
}

int main(void) {
    uint32_t random = 777, sum;
    for (unsigned op = 0; op < 16; op++) {
        sum = HASH_START;
        for (int i = 0; i < SPECIALS; i++)
            for (int j = 0; j < SPECIALS; j++) sum = apply(op, double_of_bits(special[i]), double_of_bits(special[j]), sum);
        printf("operation %u: %08x", op, sum);
        for (int i = 0; i < 100; i++) {
            double a = operand(&random);
            sum = apply(op, a, operand(&random), sum);
        }
        printf(" %08x\n", sum);
    }
    sum = HASH_START;
    for (int i = 0; i < 200; i++) {
        uint64_t bits = next_random64(&random);
        unsigned narrow = next_random(&random) & 63;
        sum = result(sum, (double)(int32_t)bits);
        sum = result(sum, (double)(uint32_t)bits);
        sum = result(sum, (double)((int64_t)bits >> narrow));
        sum = result(sum, (double)(bits >> narrow));
    }
    printf("from integers %08x\n", sum);
    double x = 1, y = (double)0.3;
    for (int i = 0; i < 300; i++) {
        x = x * y + 1 / (x + y);
        y = (double)3.9 * y * (1 - y);
    }
    printf("chaos %.17g %.17g\n", (double)x, (double)y);
    return 0;
}
