/* report.c */
#include "report.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TOLD = UINT32_MAX }; /* the column of a place that was told of; no source has it */

/* "NAME=NUMBER" among the words of UBSAN_OPTIONS, which stand between colons, commas or blanks. */
static int option(const char *name, int otherwise) {
    const char *at = getenv("UBSAN_OPTIONS");
    const size_t length = strlen(name);
    while (at && *at) {
        at += strspn(at, ":, \t\n");
        const size_t word = strcspn(at, ":, \t\n");
        if (word > length && strncmp(at, name, length) == 0 && at[length] == '=') otherwise = atoi(at + length + 1);
        at += word;
    }
    return otherwise;
}

void __ubsan_add(struct report *report, const char *text) {
    size_t length = strlen(text);
    const size_t room = sizeof report->text - 1 - report->length; /* for a newline */
    if (length > room) length = room;
    memcpy(report->text + report->length, text, length);
    report->length += length;
}

static void add_number(struct report *report, uint64_t number, unsigned base) {
    char digits[24], *at = digits + sizeof digits;
    *--at = 0;
    do *--at = "0123456789abcdef"[number % base];
    while ((number /= base) != 0);
    __ubsan_add(report, at);
}
void __ubsan_add_unsigned(struct report *report, uint64_t number) { add_number(report, number, 10); }
void __ubsan_add_signed(struct report *report, int64_t number) {
    if (number < 0) __ubsan_add(report, "-");
    add_number(report, number < 0 ? -(uint64_t)number : (uint64_t)number, 10);
}
void __ubsan_add_address(struct report *report, uintptr_t address) {
    __ubsan_add(report, "0x");
    for (unsigned bits = 28; bits > 0 && address >> bits == 0; bits -= 4) __ubsan_add(report, "0");
    add_number(report, address, 16);
}

static void add_place(struct report *report, const struct place *at) {
    report->length = 0;
    if (!at->file) {
        __ubsan_add(report, "<unknown>");
        return;
    }
    __ubsan_add(report, at->file);
    const uint32_t numbers[] = {at->line, at->line ? at->column : 0};
    for (int i = 0; i < 2 && numbers[i]; ++i) {
        __ubsan_add(report, ":");
        __ubsan_add_unsigned(report, numbers[i]);
    }
}

const char *const __ubsan_uses[] = {
    "load of",
    "store to",
    "reference binding to",
    "member access within",
    "member call on",
    "constructor call on",
    "downcast of",
    "downcast of",
    "upcast of",
    "cast to virtual base of",
    "_Nonnull binding to",
    "dynamic operation on",
};

bool __ubsan_begin(struct report *report, struct place *at, bool always) {
    struct place here = *at;
    if (!option("repeat", 0)) here.column = __atomic_exchange_n(&at->column, TOLD, __ATOMIC_RELAXED);
    if (here.column == TOLD && !always) return false;
    if (here.column == TOLD) here.column = 0;
    add_place(report, &here);
    __ubsan_add(report, ": runtime error: ");
    return true;
}
void __ubsan_begin_note(struct report *report, const struct place *at) {
    add_place(report, at);
    __ubsan_add(report, ": note: ");
}
void __ubsan_begin_note_at(struct report *report, uintptr_t address) {
    report->length = 0;
    __ubsan_add_address(report, address);
    __ubsan_add(report, ": note: ");
}

void __ubsan_end(struct report *report) {
    report->text[report->length++] = '\n';
    write(STDERR_FILENO, report->text, report->length);
}

/* The control block, crt0.S: where the PE's memory begins and, under MOG, ends. */
extern char __mog_control[];
extern const volatile uintptr_t __mog_limit;

/* Constants may be where all PEs have them once (runtime_pe/mog.ld). */
extern const char __mog_constants[], __mog_constants_end[];
bool __ubsan_has_memory(uintptr_t address, size_t bytes) {
    if (address >= (uintptr_t)__mog_constants && address < (uintptr_t)__mog_constants_end)
        return bytes <= (uintptr_t)__mog_constants_end - address;
    return address >= (uintptr_t)__mog_control && address + bytes > address && (!__mog_limit || address + bytes <= __mog_limit);
}

void __ubsan_show_memory(uintptr_t address, uintptr_t word, const char *text) {
    enum { BEFORE = 4, SHOWN = 32 };
    const uintptr_t first = address < BEFORE ? 0 : address - BEFORE;
    struct report bytes = {0}, marks = {0}, below = {0};
    if (!__ubsan_has_memory(first, SHOWN)) {
        __ubsan_add(&bytes, "<memory cannot be printed>");
        __ubsan_end(&bytes);
        return;
    }
    const uintptr_t last = text ? word + sizeof word - 1 : address;
    for (uintptr_t at = first; at != first + SHOWN; ++at) {
        static const char digits[] = "0123456789abcdef";
        const bool is_in_word = text && at - word < sizeof word;
        const unsigned char byte = *(const volatile unsigned char *)at;
        const char number[] = {digits[byte >> 4], digits[byte & 15], 0};
        const char *blanks = at % 8 == 0 ? "  " : " ";
        __ubsan_add(&bytes, blanks);
        __ubsan_add(&bytes, number);
        if (at > last) continue;
        if (text && at <= word) __ubsan_add(&below, at == word ? blanks : at % 8 == 0 ? "    " : "   ");
        __ubsan_add(&marks, is_in_word && at != word ? (at % 8 == 0 ? "~~" : "~") : blanks);
        __ubsan_add(&marks, at == address ? "^" : is_in_word ? "~" : " ");
        __ubsan_add(&marks, is_in_word ? "~" : " ");
    }
    __ubsan_end(&bytes);
    __ubsan_end(&marks);
    if (!text) return;
    __ubsan_add(&below, text);
    __ubsan_end(&below);
}

void __ubsan_after(bool ends) {
    if (ends || option("halt_on_error", 0)) _exit(option("exitcode", 1));
}

static uint64_t bits_of_value(const struct type *type, value held) {
    uint64_t bits = held;
    if (bits_of(type) > 8 * sizeof held) memcpy(&bits, (const void *)held, sizeof bits);
    return bits;
}
int64_t __ubsan_signed(const struct type *type, value held) {
    const unsigned unused = 64 - bits_of(type);
    return (int64_t)(bits_of_value(type, held) << unused) >> unused;
}
uint64_t __ubsan_unsigned(const struct type *type, value held) {
    const unsigned unused = 64 - bits_of(type);
    return bits_of_value(type, held) << unused >> unused;
}
void __ubsan_add_value(struct report *report, const struct type *type, value held) {
    if (type->kind != TYPE_INTEGER) __ubsan_add(report, "<unknown>");
    else if (is_signed(type)) __ubsan_add_signed(report, __ubsan_signed(type, held));
    else __ubsan_add_unsigned(report, __ubsan_unsigned(type, held));
}
