/* strptime.c: text to time, as glibc reads it in its locale "C". newlib's takes "03:00 AM" for the afternoon, knows no %z, and takes no day
 * of the week or the year from a date that has neither. */
#include <ctype.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

/* What has been read so far, and what follows from it at the end. */
struct reading {
    struct tm *time;
    int has_weekday, has_yearday, has_month, has_day;
    int is_of_twelve, is_afternoon; /* the hour */
    int century, year_has_none;     /* -1: none was read; the year is the one of any century */
    int wants_days;                 /* a date was read */
    int week, week_begins;          /* its number; -1: none, 0: by Sundays, 1: by Mondays */
};

static const char weekdays[][10] = {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};
static const char months[][10] = {"January", "February", "March",     "April",   "May",      "June",
                                  "July",    "August",   "September", "October", "November", "December"};
static const short month_begins[2][13] = {{0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365},
                                          {0, 31, 60, 91, 121, 152, 182, 213, 244, 274, 305, 335, 366}};

static int is_leap(int year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }
static const short *begins_of(const struct tm *time) { return month_begins[is_leap(1900 + time->tm_year)]; }

/* The name that `text` begins with, or its first three letters; -1 if none. */
static int read_name(const char **text, const char (*names)[10], int count) {
    for (int i = 0; i < count; ++i) {
        size_t length = strlen(names[i]);
        if (strncasecmp(*text, names[i], length) != 0 && strncasecmp(*text, names[i], length = 3) != 0) continue;
        *text += length;
        return i;
    }
    return -1;
}

/* A number of at most `digits` digits that is in bounds; -1 if there is none. */
static int read_number(const char **text, int least, int most, int digits) {
    while (**text == ' ') ++*text;
    if (!isdigit((unsigned char)**text)) return -1;
    int value = 0;
    do value = 10 * value + *(*text)++ - '0';
    while (--digits > 0 && 10 * value <= most && isdigit((unsigned char)**text));
    return value < least || value > most ? -1 : value;
}

static void skip_space(const char **text) {
    while (isspace((unsigned char)**text)) ++*text;
}

/* Z, +HH, +HHMM or +HH:MM. */
static int read_zone(const char **text, struct tm *time) {
    skip_space(text);
    if (**text == 'Z') return ++*text, time->tm_gmtoff = 0, 1;
    if (**text != '+' && **text != '-') return 0;
    int is_west = *(*text)++ == '-', value = 0, digits = 0;
    while (digits < 4 && isdigit((unsigned char)**text)) {
        value = 10 * value + *(*text)++ - '0';
        if (++digits == 2 && **text == ':' && isdigit((unsigned char)(*text)[1])) ++*text;
    }
    if (digits == 2) value *= 100;
    else if (digits != 4 || value % 100 >= 60) return 0;
    time->tm_gmtoff = (value / 100 * 60L + value % 100) * (is_west ? -60 : 60);
    return 1;
}

static int read_seconds(const char **text, struct tm *time) {
    if (!isdigit((unsigned char)**text)) return 0;
    char *end;
    time_t seconds = strtoll(*text, &end, 10);
    *text = end;
    return localtime_r(&seconds, time) != NULL;
}

static int read_all(struct reading *reading, const char **text, const char *format);

static int read_one(struct reading *reading, const char **text, char what) {
    struct tm *time = reading->time;
    int value = 0;
    switch (what) {
        case '%': return *(*text)++ == '%';
        case 'n':
        case 't': return skip_space(text), 1;
        case 'a':
        case 'A':
            if ((value = read_name(text, weekdays, 7)) < 0) return 0;
            time->tm_wday = value;
            return reading->has_weekday = 1;
        case 'b':
        case 'B':
        case 'h':
            if ((value = read_name(text, months, 12)) < 0) return 0;
            time->tm_mon = value;
            return reading->has_month = reading->wants_days = 1;
        case 'c': return read_all(reading, text, "%a %b %e %H:%M:%S %Y");
        case 'D':
        case 'x': return read_all(reading, text, "%m/%d/%y");
        case 'F': return read_all(reading, text, "%Y-%m-%d");
        case 'R': return read_all(reading, text, "%H:%M");
        case 'r': return read_all(reading, text, "%I:%M:%S %p");
        case 'T':
        case 'X': return read_all(reading, text, "%H:%M:%S");
        case 'C': return reading->wants_days = 1, (reading->century = read_number(text, 0, 99, 2)) >= 0;
        case 'd':
        case 'e':
            if ((value = read_number(text, 1, 31, 2)) < 0) return 0;
            time->tm_mday = value;
            return reading->has_day = reading->wants_days = 1;
        case 'H':
        case 'k': return reading->is_of_twelve = 0, (time->tm_hour = read_number(text, 0, 23, 2)) >= 0;
        case 'I':
        case 'l':
            if ((value = read_number(text, 1, 12, 2)) < 0) return 0;
            time->tm_hour = value % 12;
            return reading->is_of_twelve = 1;
        case 'j':
            if ((value = read_number(text, 1, 366, 3)) < 0) return 0;
            time->tm_yday = value - 1;
            return reading->has_yearday = 1;
        case 'm':
            if ((value = read_number(text, 1, 12, 2)) < 0) return 0;
            time->tm_mon = value - 1;
            return reading->has_month = reading->wants_days = 1;
        case 'M': return (time->tm_min = read_number(text, 0, 59, 2)) >= 0;
        case 'S': return (time->tm_sec = read_number(text, 0, 61, 2)) >= 0;
        case 'p':
        case 'P':
            if (strncasecmp(*text, "AM", 2) != 0 && strncasecmp(*text, "PM", 2) != 0) return 0;
            reading->is_afternoon = toupper((unsigned char)**text) == 'P';
            return *text += 2, 1;
        case 's': return read_seconds(text, time);
        case 'u':
        case 'w':
            if ((value = what == 'u' ? read_number(text, 1, 7, 1) : read_number(text, 0, 6, 1)) < 0) return 0;
            time->tm_wday = value % 7;
            return reading->has_weekday = 1;
        case 'U':
        case 'W': return reading->week_begins = what == 'W', (reading->week = read_number(text, 0, 53, 2)) >= 0;
        case 'V': return read_number(text, 0, 53, 2) >= 0; /* nothing is made of the last three */
        case 'g': return read_number(text, 0, 99, 2) >= 0;
        case 'G': return read_number(text, 0, 9999, 4) >= 0;
        case 'y':
            if ((value = read_number(text, 0, 99, 2)) < 0) return 0;
            time->tm_year = value >= 69 ? value : value + 100;
            return reading->year_has_none = reading->wants_days = 1;
        case 'Y':
            if ((value = read_number(text, 0, 9999, 4)) < 0) return 0;
            time->tm_year = value - 1900;
            reading->century = -1;
            reading->year_has_none = 0;
            return reading->wants_days = 1;
        case 'Z':
            skip_space(text);
            while (**text && !isspace((unsigned char)**text)) ++*text;
            return 1;
        case 'z': return read_zone(text, time);
        default: return 0;
    }
}

static int read_all(struct reading *reading, const char **text, const char *format) {
    for (; *format; ++format) {
        if (isspace((unsigned char)*format)) skip_space(text);
        else if (*format != '%') {
            if (*format != *(*text)++) return 0;
        } else {
            do ++format;
            while (*format && strchr("-_0^#EO", *format));
            if (!*format || !read_one(reading, text, *format)) return 0;
        }
    }
    return 1;
}

static int weekday_of(const struct tm *time) {
    int year = 1900 + time->tm_year - 1;
    int days = 365 * year + year / 4 - year / 100 + year / 400 + begins_of(time)[time->tm_mon] + time->tm_mday;
    return (days % 7 + 7) % 7;
}

/* Month and day from the day of the year, as far as they were not read. */
static void find_date(struct reading *reading) {
    const short *begins = begins_of(reading->time);
    int month = 0;
    while (month < 11 && begins[month + 1] <= reading->time->tm_yday) ++month;
    if (!reading->has_month) reading->time->tm_mon = month;
    if (!reading->has_day) reading->time->tm_mday = reading->time->tm_yday - begins[month] + 1;
}

static void complete(struct reading *reading) {
    struct tm *time = reading->time;
    if (reading->is_of_twelve && reading->is_afternoon) time->tm_hour += 12;
    if (reading->century >= 0) time->tm_year = (reading->year_has_none ? time->tm_year % 100 : 0) + (reading->century - 19) * 100;
    if (reading->wants_days && !reading->has_weekday) {
        if (reading->has_yearday && !(reading->has_month && reading->has_day)) {
            find_date(reading);
            reading->has_month = reading->has_day = 1;
        }
        if ((unsigned)time->tm_mon < 12) time->tm_wday = weekday_of(time);
    }
    if (reading->wants_days && !reading->has_yearday && (unsigned)time->tm_mon < 12)
        time->tm_yday = begins_of(time)[time->tm_mon] + time->tm_mday - 1;
    if (reading->week_begins < 0 || !reading->has_weekday) return;
    struct tm first = {.tm_year = time->tm_year, .tm_mday = 1};
    int begins = reading->week_begins;
    if (!reading->has_yearday)
        time->tm_yday = (7 - (weekday_of(&first) - begins)) % 7 + (reading->week - 1) * 7 + (time->tm_wday - begins + 7) % 7;
    if (!reading->has_day || !reading->has_month) find_date(reading);
}

char *strptime(const char *restrict text, const char *restrict format, struct tm *restrict time) {
    struct reading reading = {.time = time, .century = -1, .week_begins = -1};
    const char *rest = text;
    if (!read_all(&reading, &rest, format)) return NULL;
    complete(&reading);
    return (char *)rest;
}
char *strptime_l(const char *restrict text, const char *restrict format, struct tm *restrict time, locale_t locale) {
    return (void)locale, strptime(text, format, time);
}
