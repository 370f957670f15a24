/* dynamic_type.c: -fsanitize=vptr of C++: is an object of the class that a pointer to it says? gcc's code keeps what it found in a cache,
 * and asks here where that does not know.
 *
 * Objects, tables and the classes' descriptions are as the C++ ABI for Itanium has them, which g++ follows everywhere. What kind a
 * description is of, the table of its own class says; a program without one of that kind has no such table, so they are weak. */
#include <stdlib.h>
#include <string.h>

#include "report.h"

enum { CACHE_SIZE = 128 };
uintptr_t __ubsan_vptr_type_cache[CACHE_SIZE];

struct type_info {
    const void *table; /* behind two words of the object _ZTVN10__cxxabiv1... */
    const char *name;  /* mangled; with * before it, if it stands for no class of other files */
};
struct single_base {
    struct type_info self;
    const struct type_info *base;
};
struct base {
    const struct type_info *type;
    long flags; /* bit 0: virtual; above bit 8 where it is: in the object or, if it is virtual, where the table says that */
};
struct several_bases {
    struct type_info self;
    unsigned flags, count;
    struct base bases[];
};
extern const void *const no_bases_table[] __asm__("_ZTVN10__cxxabiv117__class_type_infoE") __attribute__((weak));
extern const void *const single_base_table[] __asm__("_ZTVN10__cxxabiv120__si_class_type_infoE") __attribute__((weak));
extern const void *const several_bases_table[] __asm__("_ZTVN10__cxxabiv121__vmi_class_type_infoE") __attribute__((weak));
extern char *demangle(const char *name, char *room, size_t *size, int *status) __asm__("__cxa_demangle") __attribute__((weak));

static bool has_words(const void *at, size_t words) {
    return (uintptr_t)at % sizeof(uintptr_t) == 0 && __ubsan_has_memory((uintptr_t)at, words * sizeof(uintptr_t));
}

static bool is_table(const void *table, const void *const *of) { return of && table == of + 2; }
static bool is_class(const struct type_info *type) {
    return has_words(type, 2) && (is_table(type->table, no_bases_table) || is_table(type->table, single_base_table) ||
                                  is_table(type->table, several_bases_table));
}
static bool is_same(const struct type_info *a, const struct type_info *b) {
    return a == b || (a->name[0] != '*' && strcmp(a->name, b->name) == 0);
}

struct found {
    const char *table; /* of the object at hand */
    const struct type_info *whole;
    ptrdiff_t offset; /* of the pointer in the whole object */
};
/* What the table of the object at a pointer says of it; false: that is no table of an object. */
static bool look_at(uintptr_t pointer, struct found *found) {
    enum { MOST = 1 << 24 };
    if (!has_words((const void *)pointer, 1)) return false;
    found->table = *(const char *const *)pointer;
    if (!has_words(found->table - 2 * sizeof(uintptr_t), 3)) return false;
    const ptrdiff_t to_top = ((const ptrdiff_t *)found->table)[-2];
    if (to_top > MOST || to_top < -MOST) return false;
    found->whole = ((const struct type_info *const *)found->table)[-1];
    found->offset = -to_top;
    return is_class(found->whole);
}

static ptrdiff_t offset_of(const struct base *base, const char *table) {
    const ptrdiff_t at = base->flags >> 8;
    return base->flags & 1 ? *(const ptrdiff_t *)(table + at) : at;
}

/* Has an object of `type` a part of class `wanted` so far from its beginning? `object` is that beginning: its table has the places of
 * virtual bases. */
static bool has_part(const struct type_info *type, const struct type_info *wanted, ptrdiff_t offset, const char *object) {
    if (is_same(type, wanted) && offset == 0) return true;
    if (is_table(type->table, single_base_table)) return has_part(((const struct single_base *)type)->base, wanted, offset, object);
    if (!is_table(type->table, several_bases_table)) return false;
    const struct several_bases *all = (const struct several_bases *)type;
    for (unsigned i = 0; i < all->count; ++i) {
        const ptrdiff_t at = offset_of(&all->bases[i], *(const char *const *)object);
        if (at <= offset && has_part(all->bases[i].type, wanted, offset - at, object + at)) return true;
    }
    return false;
}

/* The class of the part that a pointer is to: the innermost one that begins there. */
static const struct type_info *part_at(const struct type_info *type, ptrdiff_t offset, const char *object) {
    if (offset == 0) return type;
    if (is_table(type->table, single_base_table)) return part_at(((const struct single_base *)type)->base, offset, object);
    if (!is_table(type->table, several_bases_table)) return NULL;
    const struct several_bases *all = (const struct several_bases *)type;
    for (unsigned i = 0; i < all->count; ++i) {
        const ptrdiff_t at = offset_of(&all->bases[i], *(const char *const *)object);
        const struct type_info *part = at <= offset ? part_at(all->bases[i].type, offset - at, object + at) : NULL;
        if (part) return part;
    }
    return NULL;
}

static void add_name(struct report *report, const struct type_info *type) {
    const char *name = type->name + (type->name[0] == '*');
    int status = 0;
    char *readable = demangle ? demangle(name, NULL, NULL, &status) : NULL;
    __ubsan_add(report, "'");
    __ubsan_add(report, readable ? readable : name);
    __ubsan_add(report, "'");
    free(readable);
}

struct dynamic_place {
    struct place at;
    const struct type *type;
    const struct type_info *wanted;
    unsigned char use;
};
static bool dynamic_type_cache_miss(struct dynamic_place *data, value pointer, value hash, bool always) {
    struct found found;
    const bool is_object = look_at(pointer, &found);
    if (is_object && has_part(found.whole, data->wanted, found.offset, (const char *)pointer - found.offset)) {
        __ubsan_vptr_type_cache[hash % CACHE_SIZE] = hash;
        return false;
    }
    struct report report;
    if (!__ubsan_begin(&report, &data->at, always)) return false;
    __ubsan_add(&report, __ubsan_uses[data->use]);
    __ubsan_add(&report, " address ");
    __ubsan_add_address(&report, pointer);
    __ubsan_add(&report, " which does not point to an object of type ");
    __ubsan_add(&report, data->type->name);
    __ubsan_end(&report);
    struct report label = {0};
    uintptr_t shown = pointer;
    const struct type_info *part = is_object ? part_at(found.whole, found.offset, (const char *)pointer - found.offset) : NULL;
    if (!is_object) {
        __ubsan_begin_note_at(&report, pointer);
        __ubsan_add(&report, "object has invalid vptr");
        __ubsan_add(&label, "invalid vptr");
    } else if (found.offset == 0) {
        __ubsan_begin_note_at(&report, pointer);
        __ubsan_add(&report, "object is of type ");
        add_name(&report, found.whole);
        __ubsan_add(&label, "vptr for ");
        add_name(&label, found.whole);
    } else {
        shown -= found.offset;
        __ubsan_begin_note_at(&report, shown);
        __ubsan_add(&report, "object is base class subobject at offset ");
        __ubsan_add_signed(&report, found.offset);
        __ubsan_add(&report, " within object of type ");
        add_name(&report, found.whole);
        __ubsan_add(&label, "vptr for ");
        add_name(&label, part ? part : found.whole);
        __ubsan_add(&label, " base class of ");
        add_name(&label, found.whole);
    }
    __ubsan_end(&report);
    label.text[label.length] = 0;
    __ubsan_show_memory(shown, pointer, label.text);
    return true;
}
void __ubsan_handle_dynamic_type_cache_miss(struct dynamic_place *data, value pointer, value hash) {
    if (dynamic_type_cache_miss(data, pointer, hash, false)) __ubsan_after(false);
}
void __ubsan_handle_dynamic_type_cache_miss_abort(struct dynamic_place *data, value pointer, value hash) {
    if (dynamic_type_cache_miss(data, pointer, hash, true)) __ubsan_after(true);
}
