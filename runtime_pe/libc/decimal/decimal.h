/* decimal.h: what conversions between doubles and decimals share: products of 64 bits, powers of ten of 128, one rounding.
 *
 * A double or a decimal is an integer of at most 64 bits times a power of two or ten. Multiplied by the other power at 128 bits it has
 * an error of a few units in the 128th bit, so nearly always its rounding is beyond doubt; that is how Ulf Adams prints to a given
 * precision ("Ryu Revisited: Printf Floating Point Conversion", OOPSLA 2019) and Daniel Lemire reads ("Number Parsing at a Gigabyte
 * per Second", Software: Practice and Experience 2021). Where there is doubt, newlib's bignums (David Gay's) decide. */
#ifndef MOG_DECIMAL_H
#define MOG_DECIMAL_H
#include <stdint.h>

struct wide {
    uint64_t high, low;
};

/* Four multu; a MIPS has no longer product. */
static inline struct wide wide_product(uint64_t a, uint64_t b) {
    const uint32_t a1 = (uint32_t)(a >> 32), a0 = (uint32_t)a, b1 = (uint32_t)(b >> 32), b0 = (uint32_t)b;
    const uint64_t low = (uint64_t)a0 * b0, left = (uint64_t)a1 * b0 + (low >> 32), right = (uint64_t)a0 * b1 + (uint32_t)left;
    const struct wide product = {(uint64_t)a1 * b1 + (left >> 32) + (right >> 32), right << 32 | (uint32_t)low};
    return product;
}

static inline unsigned leading_zeros(uint64_t value) {
    const uint32_t high = (uint32_t)(value >> 32);
    return high ? (unsigned)__builtin_clz(high) : 32 + (unsigned)__builtin_clz((uint32_t)value);
}

/* The upper 128 of the 192 bits of a * b. */
static inline struct wide upper_product(struct wide a, uint64_t b) {
    struct wide product = wide_product(a.high, b);
    const uint64_t carried = wide_product(a.low, b).high;
    product.low += carried;
    product.high += product.low < carried;
    return product;
}

enum { POWER_MIN = -336, POWER_MAX = 363, EXACT_POWERS = 28 };

/* 5^n for n < EXACT_POWERS. */
extern const uint64_t __mog_fives[EXACT_POWERS];

static inline uint64_t power_of_ten(unsigned exponent) { return __mog_fives[exponent] << exponent; }

/* The bits of 10^exponent, the topmost of which is set: exact from 0 to 27, else at most 4 units too small. */
struct wide __mog_power(int exponent);

/* floor(log2(10^exponent)) */
static inline int power_log2(int exponent) { return exponent * 217706 >> 16; }

/* What a product with a power of ten may lack, in units of its 128th bit: 4 of the power, 1 of the product. */
enum { PRODUCT_ERROR = 5 };

/* Rounds value / 2^(64+shift), where shift is from 1 to 64 and the value may be up to PRODUCT_ERROR too small, but not when it is exact.
 * 0: what lies at a half of an integer, or may, is left undone; *integer is not rounded then. */
static inline int round_product(struct wide value, unsigned shift, int exact, uint64_t *integer) {
    uint64_t whole, part; /* part is less than 2^shift */
    unsigned up;
    if (shift == 64) {
        whole = 0;
        up = (unsigned)(value.high >> 63);
    } else {
        whole = value.high >> shift;
        up = (unsigned)(value.high >> (shift - 1)) & 1;
    }
    *integer = whole + up;
    if (value.low - 1 < (uint64_t)-1 - PRODUCT_ERROR) return 1;
    part = value.high << (64 - shift) << 1; /* below the half */
    if (exact ? !(up && part == 0 && value.low == 0)
        : up  ? !(part == 0 && value.low == 0)
              : value.low == 0 || part != (uint64_t)-1 << (64 - shift) << 1)
        return 1;
    *integer = whole;
    return 0;
}
#endif
