/* local_time.c: broken-down time: gmtime, localtime, mktime. What TZ says about it is in time_zone.c. */
#include <errno.h>
#include <limits.h>
#include <stddef.h>

#include "time_zone.h"

enum { DAY = 24 * 60 * 60 };

static int is_leap(long long year) { return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0; }

int __mog_split_time(time_t time, long offset, struct tm *fields) {
    long long days = time / DAY;
    long rest = (long)(time % DAY) + offset;
    for (; rest < 0; rest += DAY) --days;
    for (; rest >= DAY; rest -= DAY) ++days;
    int weekday = (int)((days + 4) % 7);
    /* Years from March on end with the leap day; 400 of them are an era. */
    long long shifted = days + 719468, era = (shifted >= 0 ? shifted : shifted - 146096) / 146097;
    int of_era = (int)(shifted - era * 146097);
    int year_of_era = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    int of_year = of_era - (year_of_era * 365 + year_of_era / 4 - year_of_era / 100);
    int from_march = (5 * of_year + 2) / 153;
    int month = from_march < 10 ? from_march + 2 : from_march - 10;
    long long year = era * 400 + year_of_era + (month < 2);
    if (year - 1900 > INT_MAX || year - 1900 < INT_MIN) {
        errno = EOVERFLOW;
        return 0;
    }
    fields->tm_year = (int)(year - 1900);
    fields->tm_mon = month;
    fields->tm_mday = of_year - (153 * from_march + 2) / 5 + 1;
    fields->tm_yday = month < 2 ? of_year - 306 : of_year + 59 + is_leap(year);
    fields->tm_wday = weekday < 0 ? weekday + 7 : weekday;
    fields->tm_hour = (int)(rest / 3600);
    fields->tm_min = (int)(rest % 3600 / 60);
    fields->tm_sec = (int)(rest % 60);
    return 1;
}

struct tm *gmtime_r(const time_t *restrict time, struct tm *restrict fields) {
    if (!__mog_split_time(*time, 0, fields)) return NULL;
    fields->tm_isdst = 0;
    fields->tm_gmtoff = 0;
    fields->tm_zone = "GMT";
    return fields;
}

static struct tm *split_local(time_t time, struct tm *fields) {
    struct __mog_local local = __mog_local_at(time);
    if (!__mog_split_time(time, local.offset, fields)) return NULL;
    fields->tm_isdst = local.is_dst;
    fields->tm_gmtoff = local.offset;
    fields->tm_zone = local.name;
    return fields;
}

/* As in glibc, a TZ that has changed since is looked at by localtime, tzset, mktime and strftime. */
struct tm *localtime_r(const time_t *restrict time, struct tm *restrict fields) {
    __mog_read_tz(0);
    return split_local(*time, fields);
}

static struct tm common;

struct tm *localtime(const time_t *time) {
    __mog_read_tz(1);
    return split_local(*time, &common);
}

struct tm *gmtime(const time_t *time) {
    return gmtime_r(time, &common);
}

/* The second that the fields would be in UTC. */
static long long as_utc(const struct tm *fields) {
    long long month = fields->tm_mon, year = fields->tm_year + 1900LL;
    year += month / 12;
    month %= 12;
    if (month < 0) {
        month += 12;
        --year;
    }
    long long from_march = (month + 10) % 12, shifted = month < 2 ? year - 1 : year;
    long long era = (shifted >= 0 ? shifted : shifted - 399) / 400, rest = shifted - era * 400;
    long long days = era * 146097 + rest * 365 + rest / 4 - rest / 100 - 719468 + (153 * from_march + 2) / 5 + fields->tm_mday - 1;
    return ((days * 24 + fields->tm_hour) * 60 + fields->tm_min) * 60LL + fields->tm_sec;
}

/* Whether `found` is not the kind of time that is asked for; negative asks for none. */
static int differs(int asked, int found) { return asked >= 0 && (asked == 0) != (found == 0); }

/* The second whose local time is `local`. At the hour that comes twice, the last result's offset decides, as in glibc; in the one that
 * is left out, what was asked for, or summer time. */
static long long search_local(long long local, int asked, int *is_dst) {
    static long last_offset;
    long long time = local - last_offset, one_ago = time, two_ago = time;
    int was_dst = 0;
    for (;;) {
        struct __mog_local here = __mog_local_at(time);
        long long next = local - here.offset;
        *is_dst = here.is_dst;
        if (next == time) break;
        /* There and back again: no second has this local time. */
        if (time == two_ago && time != one_ago && (asked < 0 ? was_dst <= here.is_dst : differs(asked, here.is_dst))) {
            last_offset = (long)(local - time);
            return time;
        }
        two_ago = one_ago;
        one_ago = time;
        time = next;
        was_dst = here.is_dst;
    }
    if (differs(asked, *is_dst)) {
        /* The nearest time of the kind that is asked for says what offset it has. */
        enum { STEP = 601200, FAR = 457243209 / 2 + STEP };
        for (long distance = STEP; distance < FAR; distance += STEP)
            for (int direction = -1; direction <= 1; direction += 2) {
                struct __mog_local there = __mog_local_at(time + distance * direction);
                if (differs(asked, there.is_dst)) continue;
                time = local - there.offset;
                last_offset = there.offset;
                return time;
            }
        time += ((asked == 0) - (*is_dst == 0)) * 3600; /* none: summer time is an hour */
    }
    last_offset = (long)(local - time);
    return time;
}

time_t mktime(struct tm *fields) {
    __mog_read_tz(1);
    int is_dst;
    struct tm result;
    time_t time = search_local(as_utc(fields), fields->tm_isdst, &is_dst);
    if (!split_local(time, &result)) return -1;
    *fields = result;
    return time;
}

time_t timelocal(struct tm *fields) { return mktime(fields); }

time_t timegm(struct tm *fields) {
    time_t time = as_utc(fields);
    return gmtime_r(&time, fields) ? time : -1;
}
