/* Integer operations on random and awkward operands, through a random register machine: every operator, every width. */
#include <stdio.h>

#include "testing.h"

static const uint32_t awkward[] = {0, 1, 2, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xffff, 0x10000, 0x7fffffff, 0x80000000u, 0x80000001u, 0xfffffffeu, 0xffffffffu};

static uint32_t operand(uint32_t *random) {
    uint32_t r = next_random(random);
    return r & 3 ? next_random(random) >> (r >> 4 & 31) : awkward[r >> 8 & 15];
}

static uint32_t apply(unsigned op, uint32_t a, uint32_t b) {
    int32_t s = (int32_t)a, t = (int32_t)b;
    uint64_t wide = (uint64_t)a << 32 | b;
    switch (op) {
    case 0: return a + b;
    case 1: return a - b;
    case 2: return a * b;
    case 3: return a & b;
    case 4: return a | b;
    case 5: return a ^ b;
    case 6: return ~(a | b);
    case 7: return a << (b & 31);
    case 8: return a >> (b & 31);
    case 9: return (uint32_t)(s >> (b & 31));
    case 10: return b ? a / b : 1;
    case 11: return b ? a % b : 2;
    case 12: return t && !(a == 0x80000000u && t == -1) ? (uint32_t)(s / t) : 3;
    case 13: return t && !(a == 0x80000000u && t == -1) ? (uint32_t)(s % t) : 4;
    case 14: return (uint32_t)((uint64_t)a * b >> 32);
    case 15: return (uint32_t)((uint64_t)((int64_t)s * t) >> 32);
    case 16: return s < t;
    case 17: return a < b;
    case 18: return s >= t;
    case 19: return a <= b ? a : b;
    case 20: return s > t ? a : b;
    case 21: return a == b ? 17 : a - 1;
    case 22: return (uint32_t)(int32_t)(int8_t)a + (uint8_t)b;
    case 23: return (uint32_t)(int32_t)(int16_t)a - (uint16_t)b;
    case 24: return 0u - a;
    case 25: return a >> 16 | b << 16;
    case 26: return (uint32_t)((wide + (uint64_t)b * a) >> 13);
    case 27: return (uint32_t)((int64_t)wide >> (b & 63));
    case 28: return (uint32_t)(wide << (a & 63) >> 17);
    case 29: return b ? (uint32_t)(wide / b) : 5;
    case 30: return b ? (uint32_t)((int64_t)wide % ((int64_t)b + 1)) : 6;
    default: return (uint32_t)((int64_t)wide < (int64_t)((uint64_t)b << 32 | a));
    }
}

/* The same operators with one constant operand: these become immediate forms. */
static uint32_t with_constants(uint32_t a) {
    int32_t s = (int32_t)a;
    uint32_t r = (a + 1) ^ (a - 1) ^ (a + 32767) ^ (a - 32768) ^ (a + 32768) ^ (a + 0x12345678u);
    r += (a & 0xff) + (a & 0xffff) + (a & 0xffff0000u) + (a | 0x8000) + (a ^ 0xffffu) + (a & 0x80000000u);
    r ^= (uint32_t)(s < 0) + (uint32_t)(s < 100) + (uint32_t)(s > -5) + (uint32_t)(a < 1000) + (uint32_t)(s == 0) + (uint32_t)(a > 0xfffffff0u);
    r += (a << 1) + (a << 16) + (a >> 31) + (uint32_t)(s >> 31) + (a >> 8) + a * 3 + a * 10 + a * 255 + a * 0x10001;
    return r ^ a / 10 ^ a % 7 ^ (uint32_t)(s / 10) ^ (uint32_t)(s % 8);
}

int main(void) {
    uint32_t random = 20261, reg[8], total = HASH_START;
    for (int i = 0; i < 8; i++) reg[i] = next_random(&random);
    for (unsigned op = 0; op < 32; op++) {
        uint32_t sum = HASH_START;
        for (int i = 0; i < 60; i++) {
            uint32_t a = operand(&random), b = operand(&random);
            sum = hash_u32(sum, apply(op, a, b));
        }
        for (int i = 0; i < 16; i++)
            for (int j = 0; j < 16; j += 3) sum = hash_u32(sum, apply(op, awkward[i], awkward[j]));
        printf("operation %u: %08x\n", op, sum);
    }
    for (int i = 0; i < 1500; i++) {
        uint32_t r = next_random(&random);
        reg[r & 7] = apply(r >> 3 & 31, reg[r >> 8 & 7], reg[r >> 11 & 7]) + (r >> 24);
        total = hash_u32(total, reg[r & 7]);
    }
    printf("machine %08x\n", total);
    for (int i = 0; i < 16; i++) total = hash_u32(total, with_constants(awkward[i]));
    for (int i = 0; i < 300; i++) total = hash_u32(total, with_constants(operand(&random)));
    printf("constants %08x\n", total);
    return 0;
}
