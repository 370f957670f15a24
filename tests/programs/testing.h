/* testing.h: what the test programs share: a checksum and a random number generator that are the same everywhere. */
#ifndef TESTING_H
#define TESTING_H

#include <stdint.h>
#include <stddef.h>
#include <string.h>

/* FNV-1a, continued from `sum`; begin with HASH_START. */
#define HASH_START 2166136261u
static inline uint32_t hash_bytes(uint32_t sum, const void *bytes, size_t count) {
    const unsigned char *p = bytes;
    while (count--) sum = (sum ^ *p++) * 16777619u;
    return sum;
}

/* One word into the checksum, whatever the machine's byte order. */
static inline uint32_t hash_u32(uint32_t sum, uint32_t value) {
    for (int i = 0; i < 4; i++) sum = (sum ^ (value >> (8 * i) & 0xffu)) * 16777619u;
    return sum;
}

static inline uint32_t hash_u64(uint32_t sum, uint64_t value) {
    return hash_u32(hash_u32(sum, (uint32_t)value), (uint32_t)(value >> 32));
}

/* xorshift32: `state` must not be 0. */
static inline uint32_t next_random(uint32_t *state) {
    uint32_t x = *state;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return *state = x;
}

static inline uint64_t next_random64(uint32_t *state) {
    uint64_t high = next_random(state);
    return high << 32 | next_random(state);
}

/* The bits of a float or double. */
static inline uint32_t bits_of_float(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline float float_of_bits(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint64_t bits_of_double(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline double double_of_bits(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* The same with every NaN made the same one: a NaN's sign and payload are the machine's own affair. */
static inline uint32_t same_nan_float(float value) { return value != value ? 0x7fc00000u : bits_of_float(value); }
static inline uint64_t same_nan_double(double value) {
    return value != value ? 0x7ff8000000000000u : bits_of_double(value);
}

#endif
