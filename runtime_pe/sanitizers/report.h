/* report.h: what gcc's code hands to the handlers of -fsanitize=undefined, and the sentences that these make of it.
 *
 * A place in the source, a type and a value come as gcc lays them out (gcc/ubsan.cc). The sentences are those of libubsan, which users
 * and their tools know. */
#ifndef MOG_SANITIZERS_REPORT_H
#define MOG_SANITIZERS_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct place {
    const char *file; /* NULL: not known */
    uint32_t line, column;
};

enum type_kind { TYPE_INTEGER = 0, TYPE_FLOAT = 1 };
struct type {
    uint16_t kind, info; /* of an integer: its sign in bit 0, the binary logarithm of its bits above; of a float its bits */
    char name[];         /* with quotation marks */
};

/* A value that a register holds, or the address of a wider one. */
typedef uintptr_t value;

enum { SENTENCE_SIZE = 512 };
/* A report under way: one line, or two with a note, which are one write each. */
struct report {
    size_t length;
    char text[SENTENCE_SIZE];
};

/* Begins a report about a place, unless there was one before. `always`: it is to be told in any case, for the program ends with it. */
bool __ubsan_begin(struct report *report, struct place *at, bool always);
/* The same where no place is known, or by the address of an object. */
void __ubsan_begin_note(struct report *report, const struct place *at);
void __ubsan_begin_note_at(struct report *report, uintptr_t address);
void __ubsan_add(struct report *report, const char *text);
void __ubsan_add_signed(struct report *report, int64_t number);
void __ubsan_add_unsigned(struct report *report, uint64_t number);
void __ubsan_add_address(struct report *report, uintptr_t address);
/* An integer as a number. */
void __ubsan_add_value(struct report *report, const struct type *type, value held);
/* Writes what there is, with a newline. */
void __ubsan_end(struct report *report);
/* The bytes around an address, with a mark below it, and one with a text below a word, if that is not NULL. */
void __ubsan_show_memory(uintptr_t address, uintptr_t word, const char *text);
bool __ubsan_has_memory(uintptr_t address, size_t bytes);
/* What a program does with a pointer, by the number that gcc has for it: "load of". */
extern const char *const __ubsan_uses[];
/* After a report: the program ends, if it shall not go on. */
void __ubsan_after(bool ends);

int64_t __ubsan_signed(const struct type *type, value held);
uint64_t __ubsan_unsigned(const struct type *type, value held);
static inline bool is_signed(const struct type *type) { return type->info & 1; }
static inline unsigned bits_of(const struct type *type) { return 1u << (type->info >> 1); }

#endif
