/* decimal_integers.c: digits of integers, written from the last one backwards. */
#include "runtime_pe/libc/decimal/digits.h"

char *__mog_print_decimal(char *end, uint64_t value) {
    if (value >> 32) {
        uint64_t rest = over_billion(value);
        end = nine_digits(end, (uint32_t)value - (uint32_t)rest * BILLION);
        value = rest;
        if (value >> 32) {
            rest = over_billion(value);
            end = nine_digits(end, (uint32_t)value - (uint32_t)rest * BILLION);
            value = rest;
        }
    }
    uint32_t left = (uint32_t)value;
    while (left >= 10000) {
        const uint32_t rest = left / 10000;
        end = four_digits(end, left - rest * 10000);
        left = rest;
    }
    while (left >= 10) {
        const uint32_t rest = left / 10;
        *--end = (char)('0' + left - rest * 10);
        left = rest;
    }
    *--end = (char)('0' + left);
    return end;
}
