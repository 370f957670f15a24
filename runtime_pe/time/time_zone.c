/* time_zone.c: TZ, as glibc takes it: a file of the host's zoneinfo, else a rule of POSIX; without TZ it is /etc/localtime.
 *
 * Files are TZif (RFC 8536), read by ordinary system calls, so that they are where --root says. What is behind their last transition
 * follows the rule in their footer. Leap seconds ("right/...") are not counted.
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "runtime_pe/system/calls.h"
#include "time_zone.h"

#define DEFAULT_FILE "/etc/localtime"
#define DEFAULT_FOLDER "/usr/share/zoneinfo"
enum { MOST_BYTES = 1 << 18, DAY = 24 * 60 * 60 };

char *_tzname[2] = {"GMT", "GMT"};
long _timezone;
int _daylight;
extern char *tzname_alias[2] __asm__("tzname") __attribute__((weak, alias("_tzname")));
extern long timezone_alias __asm__("timezone") __attribute__((weak, alias("_timezone")));
extern int daylight_alias __asm__("daylight") __attribute__((weak, alias("_daylight")));

/* ---- names, which struct tm points to: never freed ---- */

static const char *keep_name(const char *text, size_t bytes) {
    static struct name {
        struct name *next;
        char text[];
    } * names;
    for (struct name *name = names; name; name = name->next)
        if (strncmp(name->text, text, bytes) == 0 && !name->text[bytes]) return name->text;
    struct name *name = malloc(sizeof *name + bytes + 1);
    if (!name) return "";
    memcpy(name->text, text, bytes);
    name->text[bytes] = 0;
    name->next = names;
    names = name;
    return name->text;
}

/* ---- rules: CET-1CEST,M3.5.0,M10.5.0/3 ---- */

/* The first is standard time, with the date on which it ends; the second summer time. */
struct rule {
    const char *name;
    enum { ZERO_BASED, WITHOUT_LEAP_DAY, WEEKDAY } type;
    unsigned month, week, day;
    long seconds, offset;
};

static int read_name(const char **at, struct rule *rule) {
    const char *start = *at, *end = start;
    while (isalpha((unsigned char)*end) && (unsigned char)*end < 128) ++end;
    size_t bytes = (size_t)(end - start);
    if (bytes < 3) {
        if (*start++ != '<') return 0;
        for (end = start; (isalnum((unsigned char)*end) && (unsigned char)*end < 128) || *end == '+' || *end == '-'; ++end)
            ;
        bytes = (size_t)(end - start);
        if (*end++ != '>' || bytes < 3) return 0;
    }
    rule->name = keep_name(start, bytes);
    *at = end;
    return 1;
}

static int read_number(const char **at, unsigned *number) {
    if (!isdigit((unsigned char)**at)) return 0;
    for (*number = 0; isdigit((unsigned char)**at); ++*at) *number = (*number * 10 + (unsigned)(**at - '0')) & 0xffff;
    return 1;
}

/* hh[:mm[:ss]]. Returns 0, and leaves all as it is, without a number. */
static int read_hours(const char **at, unsigned parts[3]) {
    parts[1] = parts[2] = 0;
    if (!read_number(at, &parts[0])) return 0;
    for (int i = 1; i < 3 && **at == ':' && isdigit((unsigned char)(*at)[1]); i++) {
        ++*at;
        read_number(at, &parts[i]);
    }
    return 1;
}

static unsigned at_most(unsigned value, unsigned most) { return value < most ? value : most; }

static int read_offset(const char **at, struct rule *rules, int which) {
    if (which == 0 && **at != '+' && **at != '-' && !isdigit((unsigned char)**at)) return 0;
    int sign = **at == '-' ? 1 : -1; /* TZ counts westward */
    *at += **at == '-' || **at == '+';
    unsigned parts[3];
    if (read_hours(at, parts))
        rules[which].offset = sign * (long)(at_most(parts[0], 24) * 3600 + at_most(parts[1], 59) * 60 + at_most(parts[2], 59));
    else if (which == 0) return 0;
    else rules[1].offset = rules[0].offset + 3600;
    return 1;
}

static int read_date(const char **at, struct rule *rule, int which) {
    const char *p = *at;
    p += *p == ',';
    if (*p == 'J' || isdigit((unsigned char)*p)) {
        rule->type = *p == 'J' ? WITHOUT_LEAP_DAY : ZERO_BASED;
        p += *p == 'J';
        if (!read_number(&p, &rule->day) || rule->day > 365 || (rule->type == WITHOUT_LEAP_DAY && rule->day == 0)) return 0;
    } else if (*p == 'M') {
        rule->type = WEEKDAY;
        ++p;
        if (!read_number(&p, &rule->month) || *p++ != '.' || !read_number(&p, &rule->week) || *p++ != '.' || !read_number(&p, &rule->day) ||
            rule->month < 1 || rule->month > 12 || rule->week < 1 || rule->week > 5 || rule->day > 6)
            return 0;
    } else if (!*p) { /* as in the USA */
        rule->type = WEEKDAY;
        rule->month = which ? 11 : 3;
        rule->week = which ? 1 : 2;
        rule->day = 0;
    } else return 0;
    rule->seconds = 2 * 3600;
    if (*p != 0 && *p != '/' && *p != ',') return 0;
    if (*p == '/') {
        unsigned parts[3] = {2, 0, 0};
        if (!*++p) return 0;
        int negative = *p == '-';
        p += negative;
        read_hours(&p, parts);
        rule->seconds = (long)(parts[0] * 3600 + parts[1] * 60 + parts[2]) * (negative ? -1 : 1);
    }
    *at = p;
    return 1;
}

/* What cannot be read is left out, from the name on: "Nowhere/City" is UTC with the name "Nowhere". */
static void read_rules(const char *text, struct rule rules[2]) {
    memset(rules, 0, 2 * sizeof *rules);
    rules[0].name = rules[1].name = "";
    if (!read_name(&text, &rules[0]) || !read_offset(&text, rules, 0)) return;
    if (!*text) {
        rules[1].name = rules[0].name;
        rules[1].offset = rules[0].offset;
        return;
    }
    if (read_name(&text, &rules[1])) read_offset(&text, rules, 1);
    if (read_date(&text, &rules[0], 0)) read_date(&text, &rules[1], 1);
}

static int is_leap(long long year) { return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0; }

/* Days from 1970 to the first of January. */
static long long days_to_year(long long year) {
    long long before = year - 1, era = (before >= 0 ? before : before - 399) / 400, rest = before - era * 400;
    return era * 146097 + rest * 365 + rest / 4 - rest / 100 - 719162;
}

static const short days_to_month[2][13] = {{0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365},
                                           {0, 31, 60, 91, 121, 152, 182, 213, 244, 274, 305, 335, 366}};

/* When the rule's time ends in that year. Before 1970 it never does, as in glibc. */
static long long end_of(const struct rule *rule, long long year) {
    long long days = days_to_year(year < 1970 ? 1970 : year);
    int leap = is_leap(year);
    if (rule->type == ZERO_BASED) days += rule->day;
    else if (rule->type == WITHOUT_LEAP_DAY) days += (long)rule->day - 1 + (rule->day >= 60 && leap);
    else {
        const short *month = &days_to_month[leap][rule->month - 1];
        days += month[0];
        int first = (int)((days + 4) % 7), day = (int)rule->day - (first < 0 ? first + 7 : first);
        if (day < 0) day += 7;
        for (unsigned week = 1; week < rule->week && day + 7 < month[1] - month[0]; ++week) day += 7;
        days += day;
    }
    return days * DAY - rule->offset + rule->seconds;
}

static struct __mog_local by_rules(const struct rule rules[2], time_t time) {
    struct tm utc;
    int is_dst = 0;
    if (__mog_split_time(time, 0, &utc)) {
        long long to_dst = end_of(&rules[0], utc.tm_year + 1900LL), from_dst = end_of(&rules[1], utc.tm_year + 1900LL);
        is_dst = to_dst > from_dst ? time < from_dst || time >= to_dst : time >= to_dst && time < from_dst;
    }
    return (struct __mog_local){rules[is_dst].offset, is_dst, rules[is_dst].name};
}

static void show_rules(const struct rule rules[2]) {
    _daylight = rules[0].offset != rules[1].offset;
    _timezone = -rules[0].offset;
    _tzname[0] = (char *)rules[0].name;
    _tzname[1] = (char *)rules[1].name;
}

/* ---- files ---- */

static struct zone_file {
    unsigned char *raw; /* the whole file; NULL: rules are used */
    unsigned width;     /* bytes of a transition's time */
    unsigned transition_count, type_count, name_bytes;
    const unsigned char *times, *types_of, *types; /* types are 6 bytes each: offset, is it summer time, name */
    const char *names;
    int has_rules;
    long standard, summer; /* offsets: the last ones that are used */
} file;
static struct rule rules[2]; /* of TZ, or of the file's footer */

static uint32_t word_at(const unsigned char *p) { return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3]; }

static long long transition(unsigned i) {
    const unsigned char *p = file.times + i * file.width;
    return file.width == 4 ? (int32_t)word_at(p) : (long long)((uint64_t)word_at(p) << 32 | word_at(p + 4));
}

static long offset_of(unsigned type) { return (int32_t)word_at(file.types + 6 * type); }
static int is_dst_of(unsigned type) { return file.types[6 * type + 4] != 0; }
static const char *name_of(unsigned type) {
    const char *name = file.names + file.types[6 * type + 5];
    return keep_name(name, strlen(name));
}

enum { HEADER = 44 };
/* The header's six counts, and how long the block behind it is. */
static size_t block_bytes(const unsigned char *header, unsigned width, unsigned counts[6]) {
    for (int i = 0; i < 6; i++) {
        counts[i] = word_at(header + 20 + 4 * i);
        if (counts[i] > MOST_BYTES / 16) return MOST_BYTES;
    }
    /* isutc, isstd, leap, time, type, char */
    return counts[3] * (width + 1) + counts[4] * 6 + counts[5] + counts[2] * (width + 4) + counts[1] + counts[0];
}

/* False: it is not such a file, or damaged. */
static int take_file(unsigned char *raw, size_t bytes) {
    unsigned counts[6];
    const unsigned char *header = raw;
    unsigned width = 4;
    if (bytes < HEADER || memcmp(raw, "TZif", 4) != 0) return 0;
    size_t block = block_bytes(header, width, counts), at = HEADER;
    if (raw[4] != 0) { /* the same again with 8 bytes for each time */
        if (HEADER + block + HEADER > bytes) return 0;
        header = raw + HEADER + block;
        at = HEADER + block + HEADER;
        width = 8;
        block = block_bytes(header, width, counts);
    }
    if (at + block > bytes || counts[4] == 0 || counts[4] > 256 || counts[5] == 0) return 0;
    struct zone_file found = {.raw = raw, .width = width, .transition_count = counts[3], .type_count = counts[4], .name_bytes = counts[5]};
    found.times = raw + at;
    found.types_of = found.times + counts[3] * width;
    found.types = found.types_of + counts[3];
    found.names = (const char *)found.types + counts[4] * 6;
    for (unsigned i = 0; i < counts[3]; i++)
        if (found.types_of[i] >= counts[4]) return 0;
    for (unsigned i = 0; i < counts[4]; i++)
        if (found.types[6 * i + 4] > 1 || found.types[6 * i + 5] >= counts[5]) return 0;
    if (found.names[counts[5] - 1]) return 0;
    /* The footer stands between two newlines; raw has a zero behind its end. */
    char *footer = (char *)raw + at + block;
    if (width == 8 && *footer == '\n' && footer[1] && footer[1] != '\n') {
        footer[1 + strcspn(footer + 1, "\n")] = 0;
        read_rules(footer + 1, rules);
        found.has_rules = 1;
    }
    file = found;
    return 1;
}

static unsigned char *read_whole(const char *path, size_t *bytes) {
    int fd = linux_result(linux_call(LINUX_open, (int)path, linux_open_flags(O_RDONLY | O_CLOEXEC), 0, 0));
    if (fd < 0) return NULL;
    unsigned char *data = NULL;
    size_t room = 0;
    int count = -1;
    *bytes = 0;
    do {
        if (room - *bytes < 2) {
            room = room ? 2 * room : 4096;
            unsigned char *larger = room <= MOST_BYTES ? realloc(data, room) : NULL;
            if (!larger) {
                count = -1;
                break;
            }
            data = larger;
        }
        count = linux_result(linux_call(LINUX_read, fd, (int)(data + *bytes), (int)(room - *bytes - 1), 0));
        if (count > 0) *bytes += (size_t)count;
    } while (count > 0);
    linux_call(LINUX_close, fd, 0, 0, 0);
    if (count < 0) {
        free(data);
        return NULL;
    }
    data[*bytes] = 0;
    return data;
}

static int read_file(const char *name) {
    const char *folder = *name == '/' ? "" : getenv("TZDIR");
    if (!folder || (!*folder && *name != '/')) folder = DEFAULT_FOLDER;
    char *path = malloc(strlen(folder) + 1 + strlen(name) + 1);
    size_t bytes;
    if (!path) return 0;
    strcpy(path, folder);
    if (*folder) strcat(path, "/");
    strcat(path, name);
    unsigned char *raw = read_whole(path, &bytes);
    free(path);
    if (raw && take_file(raw, bytes)) return 1;
    free(raw);
    return 0;
}

/* What tzname is before any time was converted, and the offsets that timezone and daylight tell. */
static void show_file(void) {
    int last[2] = {-1, -1}; /* types: of standard time, of summer time */
    for (unsigned i = file.transition_count; i-- > 0 && (last[0] < 0 || last[1] < 0);)
        if (last[is_dst_of(file.types_of[i])] < 0) last[is_dst_of(file.types_of[i])] = file.types_of[i];
    file.standard = last[0] >= 0 ? offset_of((unsigned)last[0]) : file.transition_count ? 0 : offset_of(0);
    file.summer = last[1] >= 0 ? offset_of((unsigned)last[1]) : file.standard;
    _daylight = file.standard != file.summer;
    _timezone = -file.standard;
    for (unsigned i = 0; i < file.type_count; i++)
        if (last[is_dst_of(i)] < 0) last[is_dst_of(i)] = (int)i;
    _tzname[0] = (char *)name_of((unsigned)last[last[0] < 0]);
    _tzname[1] = (char *)name_of((unsigned)last[last[1] >= 0]);
}

/* The type that holds at `time`, and tzname as it is around then. */
static unsigned type_at(time_t time) {
    const char *names[2] = {NULL, NULL};
    unsigned type = 0;
    if (file.transition_count == 0 || time < transition(0)) {
        while (type < file.type_count && is_dst_of(type)) {
            if (!names[1]) names[1] = name_of(type);
            ++type;
        }
        if (type == file.type_count) type = 0;
        names[0] = name_of(type);
        for (unsigned i = type; i < file.type_count && !names[1]; i++)
            if (is_dst_of(i)) names[1] = name_of(i);
    } else {
        unsigned low = 0, high = file.transition_count; /* low's is not after `time`, high's is */
        while (high - low > 1) {
            unsigned middle = low + (high - low) / 2;
            if (transition(middle) <= time) low = middle;
            else high = middle;
        }
        type = file.types_of[low];
        names[is_dst_of(type)] = name_of(type);
        for (unsigned i = high; i < file.transition_count && !(names[0] && names[1]); i++) {
            unsigned next = file.types_of[i];
            if (!names[is_dst_of(next)]) names[is_dst_of(next)] = name_of(next);
        }
        if (!names[0]) names[0] = names[1];
    }
    _tzname[0] = (char *)names[0];
    _tzname[1] = (char *)(names[1] ? names[1] : names[0]);
    _daylight = file.standard != file.summer;
    _timezone = -file.standard;
    return type;
}

struct __mog_local __mog_local_at(time_t time) {
    if (!file.raw) return by_rules(rules, time);
    if (file.has_rules && file.transition_count && time >= transition(file.transition_count - 1)) {
        show_rules(rules);
        return by_rules(rules, time);
    }
    unsigned type = type_at(time);
    return (struct __mog_local){offset_of(type), is_dst_of(type), name_of(type)};
}

/* ---- TZ ---- */

void __mog_read_tz(int again) {
    static char *known;
    if (known && !again) return;
    const char *tz = getenv("TZ");
    int is_default = !tz;
    if (is_default) tz = DEFAULT_FILE;
    else if (!*tz) tz = "Universal";
    tz += *tz == ':';
    if (known && strcmp(known, tz) == 0) return;
    int before = errno;
    free(known);
    known = strdup(tz);
    free(file.raw);
    file.raw = NULL;
    if (*tz && read_file(tz)) show_file();
    else {
        read_rules(is_default || !*tz ? "UTC0" : tz, rules);
        show_rules(rules);
    }
    errno = before;
}

void tzset(void) { __mog_read_tz(1); }
void _tzset_unlocked(void) { __mog_read_tz(1); }

struct _reent;
void _tzset_r(struct _reent *reent) {
    (void)reent;
    __mog_read_tz(1);
}
void _tzset_unlocked_r(struct _reent *reent) { _tzset_r(reent); }
