/* handlers.c: what gcc's code calls where it finds undefined behaviour, -fsanitize=undefined and its parts. A handler whose name ends in
 * _abort is called instead where the program shall not go on (-fno-sanitize-recover); of what gcc cannot go on after there is no other.
 *
 * The data of each place is laid out as gcc has it (gcc/ubsan.cc). */
#include <string.h>

#include "report.h"

#define ALL(...) __VA_ARGS__
/* Both forms of a handler, of the function that follows: it tells of a place, or not, and says so. `ends`: the program does then, and the
 * place is told of in any case. */
#define HANDLER(name, arguments, ...)                         \
    static bool name(bool ends, __VA_ARGS__);                 \
    void __ubsan_handle_##name(__VA_ARGS__) {                 \
        if (name(false, ALL arguments)) __ubsan_after(false); \
    }                                                         \
    void __ubsan_handle_##name##_abort(__VA_ARGS__) {         \
        name(true, ALL arguments);                            \
        __ubsan_after(true);                                  \
    }                                                         \
    static bool name(bool ends, __VA_ARGS__)

struct typed_place {
    struct place at;
    const struct type *type;
};

/* ---- integers */

static bool overflow(bool ends, struct typed_place *data, value left, const char *sign, value right) {
    struct report report;
    if (!__ubsan_begin(&report, &data->at, ends)) return false;
    __ubsan_add(&report, is_signed(data->type) ? "signed" : "unsigned");
    __ubsan_add(&report, " integer overflow: ");
    __ubsan_add_value(&report, data->type, left);
    __ubsan_add(&report, sign);
    __ubsan_add_value(&report, data->type, right);
    __ubsan_add(&report, " cannot be represented in type ");
    __ubsan_add(&report, data->type->name);
    __ubsan_end(&report);
    return true;
}
HANDLER(add_overflow, (data, left, right), struct typed_place *data, value left, value right) {
    return overflow(ends, data, left, " + ", right);
}
HANDLER(sub_overflow, (data, left, right), struct typed_place *data, value left, value right) {
    return overflow(ends, data, left, " - ", right);
}
HANDLER(mul_overflow, (data, left, right), struct typed_place *data, value left, value right) {
    return overflow(ends, data, left, " * ", right);
}

HANDLER(negate_overflow, (data, old), struct typed_place *data, value old) {
    struct report report;
    if (!__ubsan_begin(&report, &data->at, ends)) return false;
    __ubsan_add(&report, "negation of ");
    __ubsan_add_value(&report, data->type, old);
    __ubsan_add(&report, " cannot be represented in type ");
    __ubsan_add(&report, data->type->name);
    if (is_signed(data->type)) __ubsan_add(&report, "; cast to an unsigned type to negate this value to itself");
    __ubsan_end(&report);
    return true;
}

HANDLER(divrem_overflow, (data, left, right), struct typed_place *data, value left, value right) {
    struct report report;
    if (!__ubsan_begin(&report, &data->at, ends)) return false;
    const bool is_integer = data->type->kind == TYPE_INTEGER;
    if (is_integer && is_signed(data->type) && __ubsan_signed(data->type, right) == -1) {
        __ubsan_add(&report, "division of ");
        __ubsan_add_value(&report, data->type, left);
        __ubsan_add(&report, " by -1 cannot be represented in type ");
        __ubsan_add(&report, data->type->name);
    } else __ubsan_add(&report, "division by zero");
    __ubsan_end(&report);
    return true;
}

struct shift {
    struct place at;
    const struct type *left, *right;
};
HANDLER(shift_out_of_bounds, (data, left, right), struct shift *data, value left, value right) {
    struct report report;
    if (!__ubsan_begin(&report, &data->at, ends)) return false;
    if (is_signed(data->right) && __ubsan_signed(data->right, right) < 0) {
        __ubsan_add(&report, "shift exponent ");
        __ubsan_add_value(&report, data->right, right);
        __ubsan_add(&report, " is negative");
    } else if (__ubsan_unsigned(data->right, right) >= bits_of(data->left)) {
        __ubsan_add(&report, "shift exponent ");
        __ubsan_add_value(&report, data->right, right);
        __ubsan_add(&report, " is too large for ");
        __ubsan_add_unsigned(&report, bits_of(data->left));
        __ubsan_add(&report, "-bit type ");
        __ubsan_add(&report, data->left->name);
    } else if (is_signed(data->left) && __ubsan_signed(data->left, left) < 0) {
        __ubsan_add(&report, "left shift of negative value ");
        __ubsan_add_value(&report, data->left, left);
    } else {
        __ubsan_add(&report, "left shift of ");
        __ubsan_add_value(&report, data->left, left);
        __ubsan_add(&report, " by ");
        __ubsan_add_value(&report, data->right, right);
        __ubsan_add(&report, " places cannot be represented in type ");
        __ubsan_add(&report, data->left->name);
    }
    __ubsan_end(&report);
    return true;
}

HANDLER(load_invalid_value, (data, loaded), struct typed_place *data, value loaded) {
    struct report report;
    if (!__ubsan_begin(&report, &data->at, ends)) return false;
    __ubsan_add(&report, "load of value ");
    __ubsan_add_value(&report, data->type, loaded);
    __ubsan_add(&report, ", which is not a valid value for type ");
    __ubsan_add(&report, data->type->name);
    __ubsan_end(&report);
    return true;
}

struct builtin {
    struct place at;
    unsigned char kind;
};
HANDLER(invalid_builtin, (data), struct builtin *data) {
    struct report report;
    if (!__ubsan_begin(&report, &data->at, ends)) return false;
    __ubsan_add(&report, "passing zero to ");
    __ubsan_add(&report, data->kind == 0 ? "ctz()" : "clz()");
    __ubsan_add(&report, ", which is not a valid argument");
    __ubsan_end(&report);
    return true;
}

/* ---- arrays */

struct index {
    struct place at;
    const struct type *array, *index;
};
HANDLER(out_of_bounds, (data, index), struct index *data, value index) {
    struct report report;
    if (!__ubsan_begin(&report, &data->at, ends)) return false;
    __ubsan_add(&report, "index ");
    __ubsan_add_value(&report, data->index, index);
    __ubsan_add(&report, " out of bounds for type ");
    __ubsan_add(&report, data->array->name);
    __ubsan_end(&report);
    return true;
}

HANDLER(vla_bound_not_positive, (data, bound), struct typed_place *data, value bound) {
    struct report report;
    if (!__ubsan_begin(&report, &data->at, ends)) return false;
    __ubsan_add(&report, "variable length array bound evaluates to non-positive value ");
    __ubsan_add_value(&report, data->type, bound);
    __ubsan_end(&report);
    return true;
}

/* ---- pointers */

struct object {
    struct place at;
    const struct type *type;
    unsigned char log_alignment, use;
};
HANDLER(type_mismatch_v1, (data, pointer), struct object *data, value pointer) {
    struct report report;
    const uintptr_t alignment = (uintptr_t)1 << data->log_alignment;
    if (!__ubsan_begin(&report, &data->at, ends)) return false;
    __ubsan_add(&report, __ubsan_uses[data->use]);
    if (!pointer) {
        __ubsan_add(&report, " null pointer of type ");
        __ubsan_add(&report, data->type->name);
    } else if (pointer & (alignment - 1)) {
        __ubsan_add(&report, " misaligned address ");
        __ubsan_add_address(&report, pointer);
        __ubsan_add(&report, " for type ");
        __ubsan_add(&report, data->type->name);
        __ubsan_add(&report, ", which requires ");
        __ubsan_add_unsigned(&report, alignment);
        __ubsan_add(&report, " byte alignment");
    } else {
        __ubsan_add(&report, " address ");
        __ubsan_add_address(&report, pointer);
        __ubsan_add(&report, " with insufficient space for an object of type ");
        __ubsan_add(&report, data->type->name);
    }
    __ubsan_end(&report);
    if (!pointer) return true;
    __ubsan_begin_note_at(&report, pointer);
    __ubsan_add(&report, "pointer points here");
    __ubsan_end(&report);
    __ubsan_show_memory(pointer, 0, NULL);
    return true;
}

HANDLER(pointer_overflow, (data, base, result), struct place *data, value base, value result) {
    struct report report;
    if (!__ubsan_begin(&report, data, ends)) return false;
    if (!base && !result) __ubsan_add(&report, "applying zero offset to null pointer");
    else if (!base) {
        __ubsan_add(&report, "applying non-zero offset ");
        __ubsan_add_unsigned(&report, result);
        __ubsan_add(&report, " to null pointer");
    } else if (!result) {
        __ubsan_add(&report, "applying non-zero offset to non-null pointer ");
        __ubsan_add_address(&report, base);
        __ubsan_add(&report, " produced null pointer");
    } else {
        const bool same_half = ((intptr_t)base >= 0) == ((intptr_t)result >= 0);
        __ubsan_add(&report, !same_half      ? "pointer index expression with base "
                             : base > result ? "addition of unsigned offset to "
                                             : "subtraction of unsigned offset from ");
        __ubsan_add_address(&report, base);
        __ubsan_add(&report, " overflowed to ");
        __ubsan_add_address(&report, result);
    }
    __ubsan_end(&report);
    return true;
}

static void tell_attribute(struct place *at, const char *attribute) {
    struct report report;
    if (!at->file) return;
    __ubsan_begin_note(&report, at);
    __ubsan_add(&report, attribute);
    __ubsan_add(&report, " attribute specified here");
    __ubsan_end(&report);
}

struct argument {
    struct place at, attribute;
    int number;
};
HANDLER(nonnull_arg, (data), struct argument *data) {
    struct report report;
    if (!__ubsan_begin(&report, &data->at, ends)) return false;
    __ubsan_add(&report, "null pointer passed as argument ");
    __ubsan_add_signed(&report, data->number);
    __ubsan_add(&report, ", which is declared to never be null");
    __ubsan_end(&report);
    tell_attribute(&data->attribute, "nonnull");
    return true;
}
HANDLER(nonnull_return_v1, (attribute, at), struct place *attribute, struct place *at) {
    struct report report;
    if (!__ubsan_begin(&report, at, ends)) return false;
    __ubsan_add(&report, "null pointer returned from function declared to never return null");
    __ubsan_end(&report);
    tell_attribute(attribute, "returns_nonnull");
    return true;
}

/* ---- control: no program goes on behind these */

static void at_no_place(struct place *at, const char *sentence) {
    struct report report;
    __ubsan_begin(&report, at, true);
    __ubsan_add(&report, sentence);
    __ubsan_end(&report);
    __ubsan_after(true);
}
void __ubsan_handle_builtin_unreachable(struct place *data) { at_no_place(data, "execution reached an unreachable program point"); }
void __ubsan_handle_missing_return(struct place *data) {
    at_no_place(data, "execution reached the end of a value-returning function without returning a value");
}
