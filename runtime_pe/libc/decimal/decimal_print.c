/* decimal_print.c: _dtoa_r, by which printf and its like convert doubles to a number of digits. Up to 17 digits that were asked for, or
 * less than 10^18 before the point and after it together, come of one product; newlib's bignums (David Gay's) make the others. */
#include <reent.h>
#include <stddef.h>

#include "runtime_pe/libc/decimal/digits.h"

/* newlib's, as its stdlib/mprec.h and dtoa.c have them. */
struct _Bigint *_Balloc(struct _reent *reent, int size);
void _Bfree(struct _reent *reent, struct _Bigint *number);
char *__mog_dtoa_r_exact(struct _reent *reent, double value, int mode, int digits, int *point, int *sign, char **end);

enum { DIGITS_MAX = 17, SIGNIFICANT = 2, AFTER_POINT = 3 };

/* A double that is neither zero nor infinite nor a NaN: bits * 2^(exponent - 63), of bits the topmost is set. */
struct parts {
    uint64_t bits;
    int exponent;
};

/* floor(log10(value)), or one less: between powers of two the logarithm is more than its chord. */
static int log10_estimate(struct parts value) {
    const int32_t log2 = value.exponent * (1 << 20) + (int32_t)((uint32_t)(value.bits >> 32) << 1 >> 12);
    return (int32_t)((int64_t)log2 * 1292913986 >> 32) >> 20; /* log10(2) * 2^32 */
}

/* At the half between two integers that value * 10^scale lies at or next to: the value is an integer itself, so the half is one of 64
 * bits too, for a scale of -19 or more. */
static int round_integer(struct parts value, int scale, uint64_t *integer) {
    if (scale < -19 || value.exponent > 63 || value.exponent < 0 || value.bits << value.exponent << 1) return 0;
    const uint64_t ten = power_of_ten((unsigned)-scale), exact = value.bits >> (63 - value.exponent), half = *integer * ten + ten / 2;
    *integer += exact == half ? *integer & 1 : exact > half;
    return 1;
}

/* value * 10^scale, rounded to the nearest integer, and to the even one of two; 0: it may be 2^62 or more, or it is hard to tell. */
static int scaled(struct parts value, int scale, uint64_t *integer) {
    const int exact = scale >= 0 && scale < EXACT_POWERS;
    if (scale < POWER_MIN || scale > POWER_MAX) return 0;
    const int shift = 62 - value.exponent - power_log2(scale);
    if (shift < 1) return 0;
    *integer = 0;
    if (shift > 64) return 1;
    const struct wide product = upper_product(__mog_power(scale), value.bits);
    if (round_product(product, (unsigned)shift, exact, integer)) return 1;
    if (!exact) return round_integer(value, scale, integer);
    *integer += *integer & 1;
    return 1;
}

char *_dtoa_r(struct _reent *reent, double number, int mode, int digits, int *point, int *sign, char **end) {
    union {
        double number;
        uint64_t bits;
    } as = {number};
    const uint64_t fraction = as.bits & 0xfffffffffffff;
    const unsigned biased = (unsigned)(as.bits >> 52) & 0x7ff;
    struct parts value = {fraction << 11 | (uint64_t)1 << 63, (int)biased - 1023};
    int scale = digits;
    uint64_t integer;

    if (biased == 0x7ff || (biased == 0 && fraction == 0)) goto by_bignums;
    if (biased == 0) {
        const unsigned zeros = leading_zeros(fraction);
        value.bits = fraction << zeros;
        value.exponent = -1011 - (int)zeros;
    }
    if (mode == SIGNIFICANT) {
        if (digits < 1) digits = 1;
        if (digits > DIGITS_MAX) goto by_bignums;
        scale = digits - 1 - log10_estimate(value);
        if (!scaled(value, scale, &integer)) goto by_bignums;
        /* A digit too many. What is rounded up to a power of ten has one digit more too, and is the same either way. */
        if (integer >= power_of_ten((unsigned)digits)) {
            scale--;
            if (!scaled(value, scale, &integer)) goto by_bignums;
        }
    } else if (mode != AFTER_POINT || !scaled(value, scale, &integer) || integer >> 32 >= 232830643) /* 10^18 */
        goto by_bignums;

    /* It lies where newlib has it, who frees or takes it again in the next call: in a number of the smallest size, 24 bytes. */
    _REENT_CHECK_MP(reent);
    struct _Bigint *place = _REENT_MP_RESULT(reent);
    if (!place || _REENT_MP_RESULT_K(reent) != 0) {
        if (place) {
            place->_k = _REENT_MP_RESULT_K(reent);
            place->_maxwds = 1 << place->_k;
            _Bfree(reent, place);
        }
        place = _REENT_MP_RESULT(reent) = _Balloc(reent, 0);
        _REENT_MP_RESULT_K(reent) = 0;
        if (!place) goto by_bignums;
    }
    char *stop = (char *)place + sizeof *place - 1, *const text = integer ? __mog_print_decimal(stop, integer) : stop;
    *sign = (int)(as.bits >> 63);
    *point = integer ? stop - text - scale : -scale;
    while (stop > text && stop[-1] == '0') stop--;
    *stop = '\0';
    if (end) *end = stop;
    return text;
by_bignums:
    return __mog_dtoa_r_exact(reent, number, mode, digits, point, sign, end);
}
