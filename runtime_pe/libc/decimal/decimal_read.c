/* decimal_read.c: _strtod_l, by which strtod, atof, scanf and their like read doubles. Up to 15 digits and a power of ten up to 22 are two
 * exact doubles and one operation (William Clinger, "How to Read Floating Point Numbers Accurately", PLDI 1990); of others a product
 * tells. What is no number in decimal, is out of range or subnormal, or is hard to round, is for newlib's strtod (David Gay's). */
#include <locale.h>
#include <reent.h>

#include "runtime_pe/libc/decimal/decimal.h"

double __mog_strtod_l_exact(struct _reent *reent, const char *text, char **end, locale_t locale);
extern const double __mprec_tens[]; /* newlib's, 10^0 to 10^22 */

enum { PART = 9, CLINGER_DIGITS = 15, CLINGER_TENS = 22, TENS_MAX = 308, MANTISSA = 52, BIAS = 1023, BIASED_MAX = 2046 };

/* Where reading is, and where the point was. */
struct reader {
    const char *at, *point;
};

static inline int is_digit(char c) { return (unsigned)(c - '0') < 10; }

/* Up to so many digits, of which a point may be in front or among them; *value has them behind those it had. How many there were. */
static inline unsigned read_digits(struct reader *reader, unsigned most, uint32_t *value) {
    unsigned left = most;
    uint32_t number = *value;
    for (; left; reader->at++) {
        const unsigned digit = (unsigned)(*reader->at - '0');
        if (digit < 10) {
            number = number * 10 + digit;
            left--;
        } else if (*reader->at == '.' && !reader->point) reader->point = reader->at;
        else break;
    }
    *value = number;
    return most - left;
}

/* digits * 10^tens as the bits of the nearest double; 0: it is hard to tell, or not a normal double. */
static int nearest_double(uint64_t digits, int tens, int exact, uint64_t *bits) {
    const unsigned zeros = leading_zeros(digits);
    const struct wide product = upper_product(__mog_power(tens), digits << zeros);
    const unsigned shift = (int64_t)product.high < 0 ? 63 - MANTISSA : 62 - MANTISSA;
    const int biased = power_log2(tens) - (int)zeros + 1 + (int)shift + MANTISSA + BIAS;
    uint64_t mantissa;
    if (!round_product(product, shift, exact, &mantissa)) {
        if (!exact) return 0;
        mantissa += mantissa & 1;
    }
    *bits = ((uint64_t)(biased - 1) << MANTISSA) + mantissa; /* a mantissa of 2^53 is one more of the exponent */
    return biased > 0 && *bits >> MANTISSA <= BIASED_MAX;
}

double _strtod_l(struct _reent *reent, const char *text, char **end, locale_t locale) {
    struct reader reader = {text, NULL};
    union {
        uint64_t bits;
        double number;
    } as;
    while (*reader.at == ' ' || (unsigned)(*reader.at - '\t') < 5) reader.at++;
    const int negative = *reader.at == '-';
    if (negative || *reader.at == '+') reader.at++;

    const char *const begin = reader.at;
    while (*reader.at == '0') reader.at++;
    if (reader.at != begin && (*reader.at | 32) == 'x') goto by_bignums;
    if (*reader.at == '.') {
        reader.point = reader.at++;
        while (*reader.at == '0') reader.at++;
    }
    uint32_t first = 0, second = 0, third = 0;
    const unsigned count = read_digits(&reader, PART, &first);
    const unsigned more = count < PART ? 0 : read_digits(&reader, PART, &second), last = more < PART ? 0 : read_digits(&reader, 1, &third);
    int tens = 0, cut = 0;
    if (last) { /* what else there is does not count */
        uint32_t digit;
        while (digit = 0, read_digits(&reader, 1, &digit)) {
            cut |= digit != 0;
            tens++;
        }
    }
    if (reader.at == begin + (reader.point != NULL)) goto by_bignums; /* no digit */
    if (reader.point) tens -= reader.at - reader.point - 1;
    if ((*reader.at | 32) == 'e') {
        const char *at = reader.at + 1;
        const int below = *at == '-';
        int exponent = 0;
        if (below || *at == '+') at++;
        if (is_digit(*at)) {
            for (; is_digit(*at); at++)
                if (exponent < 100000) exponent = exponent * 10 + (*at - '0');
            tens += below ? -exponent : exponent;
            reader.at = at;
        }
    }

    if (first == 0) as.bits = 0;
    else if (count + more <= CLINGER_DIGITS && tens <= CLINGER_TENS && tens >= -CLINGER_TENS) {
        as.number = first;
        if (more) as.number = as.number * __mprec_tens[more] + second;
        if (tens < 0) as.number /= __mprec_tens[-tens];
        else as.number *= __mprec_tens[tens];
    } else {
        uint64_t digits = first, above;
        if (more) digits = digits * (uint32_t)power_of_ten(more) + second;
        if (last) digits = digits * 10 + third;
        if (tens < POWER_MIN || tens > TENS_MAX) goto by_bignums;
        if (!nearest_double(digits, tens, tens >= 0 && tens < EXACT_POWERS && !cut, &as.bits)) goto by_bignums;
        if (cut && !(nearest_double(digits + 1, tens, 0, &above) && above == as.bits)) goto by_bignums;
    }
    if (negative) as.bits |= (uint64_t)1 << 63;
    if (end) *end = (char *)reader.at;
    return as.number;

by_bignums:
    return __mog_strtod_l_exact(reent, text, end, locale);
}
