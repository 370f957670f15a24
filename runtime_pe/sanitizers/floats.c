/* floats.c: -fsanitize=float-cast-overflow, by itself, for it takes the printing of floating-point numbers along. */
#include <stdio.h>
#include <string.h>

#include "report.h"

struct conversion {
    struct place at;
    const struct type *from, *to;
};

static bool float_cast_overflow(struct conversion *data, value held, bool always) {
    struct report report;
    char number[40];
    if (!__ubsan_begin(&report, &data->at, always)) return false;
    if (data->from->kind == TYPE_FLOAT) {
        double held_double;
        float held_float;
        memcpy(&held_float, &held, sizeof held_float);
        if (data->from->info == 32) held_double = held_float;
        else memcpy(&held_double, (const void *)held, sizeof held_double);
        snprintf(number, sizeof number, "%g", held_double);
        __ubsan_add(&report, number);
    } else __ubsan_add_value(&report, data->from, held);
    __ubsan_add(&report, " is outside the range of representable values of type ");
    __ubsan_add(&report, data->to->name);
    __ubsan_end(&report);
    return true;
}
void __ubsan_handle_float_cast_overflow(struct conversion *data, value held) {
    if (float_cast_overflow(data, held, false)) __ubsan_after(false);
}
void __ubsan_handle_float_cast_overflow_abort(struct conversion *data, value held) {
    float_cast_overflow(data, held, true);
    __ubsan_after(true);
}
