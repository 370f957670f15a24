/* digits.h: digits of integers without divisions: what divides by a constant multiplies. */
#ifndef MOG_DIGITS_H
#define MOG_DIGITS_H
#include "runtime_pe/libc/decimal/decimal.h"

enum { BILLION = 1000000000 };

/* The digits of a value, written backwards from end; where they begin. */
char *__mog_print_decimal(char *end, uint64_t value);

/* value / 10^9: 2^9 goes by a shift, and 0x44b82fa09b5a53 is 2^75 / 5^9, rounded up, which is near enough for 55 bits. */
static inline uint64_t over_billion(uint64_t value) { return wide_product(value >> 9, 0x44b82fa09b5a53).high >> 11; }

/* A fraction of 28 bits, of which each multiplication by ten yields a digit; 2 of the 10 are a shift of where the point is. */
static inline char *four_digits(char *end, uint32_t value) {
    uint32_t fraction = value * 268436u; /* 2^28 / 1000, rounded up */
    end[-4] = (char)('0' + (fraction >> 28));
    fraction = (fraction & 0xfffffff) * 5;
    end[-3] = (char)('0' + (fraction >> 27));
    fraction = (fraction & 0x7ffffff) * 5;
    end[-2] = (char)('0' + (fraction >> 26));
    fraction = (fraction & 0x3ffffff) * 5;
    end[-1] = (char)('0' + (fraction >> 25));
    return end - 4;
}

static inline char *nine_digits(char *end, uint32_t value) {
    const uint32_t upper = value / 10000, first = upper / 10000;
    end = four_digits(end, value - upper * 10000);
    end = four_digits(end, upper - first * 10000);
    *--end = (char)('0' + first);
    return end;
}
#endif
