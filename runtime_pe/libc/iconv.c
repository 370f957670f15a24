/* iconv.c: <iconv.h> for Unicode's encodings, ASCII, and what Western Europe had before; names as glibc has them. */
#include <ctype.h>
#include <errno.h>
#include <iconv.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum kind { ASCII, LATIN1, LATIN9, WINDOWS, UTF8, UTF16, UTF32, UCS2 };
enum order { LITTLE, BIG, MARKED }; /* which byte comes first; marked: the text begins with U+FEFF */

struct encoding {
    const char *name; /* in capitals, without hyphens and their like */
    enum kind kind;
    enum order order;
};
static const struct encoding encodings[] = {
    {"ASCII", ASCII, LITTLE},     {"USASCII", ASCII, LITTLE},  {"ANSIX3.41968", ASCII, LITTLE},  {"646", ASCII, LITTLE},
    {"ISO88591", LATIN1, LITTLE}, {"LATIN1", LATIN1, LITTLE},  {"L1", LATIN1, LITTLE},           {"ISO885915", LATIN9, LITTLE},
    {"LATIN9", LATIN9, LITTLE},   {"CP1252", WINDOWS, LITTLE}, {"WINDOWS1252", WINDOWS, LITTLE}, {"UTF8", UTF8, LITTLE},
    {"UTF16", UTF16, MARKED},     {"UTF16LE", UTF16, LITTLE},  {"UTF16BE", UTF16, BIG},          {"UTF32", UTF32, MARKED},
    {"UTF32LE", UTF32, LITTLE},   {"UTF32BE", UTF32, BIG},     {"UCS2", UCS2, LITTLE},           {"UCS2LE", UCS2, LITTLE},
    {"UCS2BE", UCS2, BIG},        {"UCS4", UTF32, BIG},        {"UCS4LE", UTF32, LITTLE},        {"UCS4BE", UTF32, BIG},
    {"WCHART", UTF32, LITTLE},    {"UNICODE", UCS2, MARKED},
};

struct conversion {
    struct encoding from, to;
    enum order reads;                 /* of the text at hand */
    int has_begun_from, has_begun_to; /* the mark is behind */
    int substitutes, ignores;
};

/* What the bytes from 0x80 on are where they are not Latin 1; 0: nothing. */
static const uint16_t windows[32] = {0x20ac, 0,      0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160,
                                     0x2039, 0x0152, 0,      0x017d, 0,      0,      0x2018, 0x2019, 0x201c, 0x201d, 0x2022,
                                     0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0,      0x017e, 0x0178};
static const struct {
    uint8_t byte;
    uint16_t point;
} latin9[] = {{0xa4, 0x20ac}, {0xa6, 0x160}, {0xa8, 0x161}, {0xb4, 0x17d}, {0xb8, 0x17e}, {0xbc, 0x152}, {0xbd, 0x153}, {0xbe, 0x178}};
enum { LATIN9_POINTS = sizeof latin9 / sizeof *latin9 };

static int is_surrogate(uint32_t point) { return point >= 0xd800 && point < 0xe000; }

/* ---- names ---- */

static int find(const char *name, struct encoding *found) {
    char plain[16];
    size_t length = 0;
    if (!*name) name = "UTF-8"; /* the locale's: all that there is contains ASCII */
    for (; *name && !(name[0] == '/' && name[1] == '/'); ++name) {
        if (strchr("-_: ", *name)) continue;
        if (length == sizeof plain - 1) return 0;
        plain[length++] = (char)toupper((unsigned char)*name);
    }
    plain[length] = 0;
    for (size_t i = 0; i < sizeof encodings / sizeof *encodings; ++i)
        if (!strcmp(plain, encodings[i].name)) return *found = encodings[i], 1;
    return 0;
}

iconv_t iconv_open(const char *to, const char *from) {
    struct conversion new = {0}, *conversion;
    if (!find(to, &new.to) || !find(from, &new.from)) return errno = EINVAL, (iconv_t)-1;
    new.substitutes = strstr(to, "//TRANSLIT") != NULL;
    new.ignores = strstr(to, "//IGNORE") != NULL || strstr(to, "IGNORE//") != NULL;
    if (!(conversion = malloc(sizeof *conversion))) return (iconv_t)-1;
    *conversion = new;
    return (iconv_t)conversion;
}

int iconv_close(iconv_t conversion) { return free((void *)conversion), 0; }

/* ---- characters: how many bytes one takes; 0: more than there are; -1: there is none such ---- */

static uint32_t unit_at(const uint8_t *bytes, int count, enum order order) {
    uint32_t unit = 0;
    for (int i = 0; i < count; ++i) unit |= (uint32_t)bytes[i] << 8 * (order == BIG ? count - 1 - i : i);
    return unit;
}

static int get_utf8(const uint8_t *bytes, size_t left, uint32_t *point) {
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    int count = bytes[0] < 0x80 ? 1 : bytes[0] < 0xc2 ? -1 : bytes[0] < 0xe0 ? 2 : bytes[0] < 0xf0 ? 3 : bytes[0] < 0xf5 ? 4 : -1;
    if (count < 0) return -1;
    *point = count == 1 ? bytes[0] : bytes[0] & (0x7fu >> count);
    for (int i = 1; i < count; ++i) {
        if ((size_t)i == left) return 0;
        if ((bytes[i] & 0xc0) != 0x80) return -1;
        *point = *point << 6 | (bytes[i] & 0x3f);
    }
    return *point < least[count] || *point > 0x10ffff || is_surrogate(*point) ? -1 : count;
}

static int get(const struct encoding *encoding, const uint8_t *bytes, size_t left, uint32_t *point) {
    uint8_t first = bytes[0];
    *point = first;
    switch (encoding->kind) {
        case ASCII: return first < 0x80 ? 1 : -1;
        case LATIN1: return 1;
        case LATIN9:
            for (int i = 0; i < LATIN9_POINTS; ++i)
                if (latin9[i].byte == first) *point = latin9[i].point;
            return 1;
        case WINDOWS:
            if (first >= 0x80 && first < 0xa0) *point = windows[first - 0x80];
            return *point || !first ? 1 : -1;
        case UTF8: return get_utf8(bytes, left, point);
        case UTF32:
            if (left < 4) return 0;
            *point = unit_at(bytes, 4, encoding->order);
            return *point > 0x10ffff || is_surrogate(*point) ? -1 : 4;
        case UCS2:
        case UTF16: {
            if (left < 2) return 0;
            *point = unit_at(bytes, 2, encoding->order);
            if (!is_surrogate(*point)) return 2;
            if (encoding->kind == UCS2 || *point >= 0xdc00) return -1;
            if (left < 4) return 0;
            uint32_t second = unit_at(bytes + 2, 2, encoding->order);
            if (second < 0xdc00 || second >= 0xe000) return -1;
            *point = 0x10000 + ((*point - 0xd800) << 10) + (second - 0xdc00);
            return 4;
        }
    }
    return -1;
}

static int put_units(uint8_t *to, size_t room, int count, enum order order, uint32_t unit) {
    if (room < (size_t)count) return 0;
    for (int i = 0; i < count; ++i) to[i] = (uint8_t)(unit >> 8 * (order == BIG ? count - 1 - i : i));
    return count;
}

static int put_utf8(uint8_t *to, size_t room, uint32_t point) {
    int count = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    if (room < (size_t)count) return 0;
    for (int i = count - 1; i > 0; --i, point >>= 6) to[i] = (uint8_t)(0x80 | (point & 0x3f));
    to[0] = (uint8_t)(count == 1 ? point : (0xf00u >> count & 0xffu) | point);
    return count;
}

/* The byte of a character in an encoding of one byte each, or -1. */
static int byte_of(enum kind kind, uint32_t point) {
    if (kind == LATIN9) {
        for (int i = 0; i < LATIN9_POINTS; ++i)
            if (latin9[i].point == point) return latin9[i].byte;
            else if (latin9[i].byte == point) return -1;
    } else if (kind == WINDOWS && point >= 0x80 && !(point >= 0xa0 && point < 0x100)) {
        for (int i = 0; i < 32; ++i)
            if (windows[i] == point) return 0x80 + i;
        return -1;
    }
    return point < (kind == ASCII ? 0x80 : 0x100) ? (int)point : -1;
}

static int put(const struct encoding *encoding, uint8_t *to, size_t room, uint32_t point) {
    switch (encoding->kind) {
        case UTF8: return put_utf8(to, room, point);
        case UTF32: return put_units(to, room, 4, encoding->order, point);
        case UCS2:
        case UTF16:
            if (point < 0x10000) return put_units(to, room, 2, encoding->order, point);
            if (encoding->kind == UCS2) return -1;
            if (room < 4) return 0;
            put_units(to, room, 2, encoding->order, 0xd800 + ((point - 0x10000) >> 10));
            put_units(to + 2, room, 2, encoding->order, 0xdc00 + (point & 0x3ff));
            return 4;
        default: {
            int byte = byte_of(encoding->kind, point);
            return byte < 0 ? -1 : put_units(to, room, 1, LITTLE, (uint32_t)byte);
        }
    }
}

/* ---- texts ---- */

/* The order of what is read, by the mark that it begins with; without one, the machine's own. Bytes of the mark; -1 if it is not there in
 * full. */
static int read_mark(struct conversion *conversion, const uint8_t *bytes, size_t left) {
    conversion->reads = conversion->from.order;
    if (conversion->from.order != MARKED) return 0;
    int count = conversion->from.kind == UTF32 ? 4 : 2;
    if (left < (size_t)count) return -1;
    int is_big = unit_at(bytes, count, BIG) == 0xfeff;
    conversion->reads = is_big ? BIG : LITTLE;
    return is_big || unit_at(bytes, count, LITTLE) == 0xfeff ? count : 0;
}

static size_t fail(int number) { return errno = number, (size_t)-1; }

size_t iconv(iconv_t descriptor, char **restrict from, size_t *restrict from_left, char **restrict to, size_t *restrict to_left) {
    struct conversion *conversion = (struct conversion *)descriptor;
    if (!from || !*from) { /* back to the beginning; there is nothing that a text has to end with */
        conversion->has_begun_from = conversion->has_begun_to = 0;
        return 0;
    }
    size_t substituted = 0, ignored = 0;
    struct encoding source = conversion->from, target = conversion->to;
    if (target.order == MARKED) target.order = LITTLE;
    if (!conversion->has_begun_from && *from_left) {
        int mark = read_mark(conversion, (const uint8_t *)*from, *from_left);
        if (mark < 0) return fail(EINVAL);
        *from += mark, *from_left -= (size_t)mark;
        conversion->has_begun_from = 1;
    }
    source.order = conversion->reads;
    while (*from_left) {
        if (!conversion->has_begun_to && conversion->to.order == MARKED) {
            int count = put(&target, (uint8_t *)*to, *to_left, 0xfeff);
            if (count == 0) return fail(E2BIG);
            *to += count, *to_left -= (size_t)count;
        }
        conversion->has_begun_to = 1;
        uint32_t point;
        int taken = get(&source, (const uint8_t *)*from, *from_left, &point), given = 0;
        if (taken == 0) return fail(EINVAL);
        if (taken > 0) given = put(&target, (uint8_t *)*to, *to_left, point);
        if (taken > 0 && given < 0 && conversion->substitutes) {
            given = put(&target, (uint8_t *)*to, *to_left, '?');
            substituted += given > 0;
        }
        if (taken < 0 || given < 0) {
            if (!conversion->ignores) return fail(EILSEQ);
            ++ignored;
            if (taken < 0) taken = conversion->from.kind == UTF32 ? 4 : conversion->from.kind >= UTF16 ? 2 : 1;
            given = 0;
        } else if (given == 0) return fail(E2BIG);
        *from += taken, *from_left -= (size_t)taken;
        *to += given, *to_left -= (size_t)given;
    }
    return ignored ? fail(EILSEQ) : substituted;
}
