/* Time zones by name, by rule, unknown and none: local time, its name and offset, and the way back, from 1900 to 2100. */
#define _GNU_SOURCE
#define _TIME_BITS 64
#define _FILE_OFFSET_BITS 64
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char *const zones[] = {
    "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Europe/Dublin", "Africa/Casablanca", "Pacific/Apia", "Antarctica/Troll",
    "UTC", "Etc/GMT-3", ":Europe/London", "", "No/Such", "../zoneinfo/Asia/Seoul", "/usr/share/zoneinfo/Asia/Tokyo",
    "CET-1CEST,M3.5.0,M10.5.0/3", "<+0330>-3:30", "NZST-12NZDT,M9.5.0,M4.1.0/3", "XXX-2YYY-4:30:15,J60/0,300/23:59:59",
    "AAA3:90BBB,M3.2.0/-1,M11.1.0/27", "abc", "AB3", "12345", "AAA25", "Europe/", "/etc/passwd",
};

static void show(const struct tm *t) {
    char text[60];
    strftime(text, sizeof text, "%F %T %z %Z", t);
    printf("%s %d %d %d %ld %s", text, t->tm_wday, t->tm_yday, t->tm_isdst, t->tm_gmtoff, t->tm_zone);
}

static void show_at(time_t time, int asks) {
    struct tm local = *localtime(&time);
    show(&local);
    printf(" | %s %s %ld %d", tzname[0], tzname[1], timezone, daylight);
    for (int dst = -1; dst < (asks ? 2 : 0); dst++) {
        struct tm again = local;
        again.tm_isdst = dst;
        long long found = mktime(&again);
        printf(" | %lld %d %d", found, again.tm_isdst, again.tm_hour);
    }
    puts("");
}

int main(void) {
    for (unsigned zone = 0; zone < sizeof zones / sizeof *zones; zone++) {
        setenv("TZ", zones[zone], 1);
        errno = 0;
        tzset();
        printf("%s: %s %s %ld %d\n", zones[zone], tzname[0], tzname[1], timezone, daylight);
        for (long long n = 0; n < 12; n++)
            show_at(-2208988800LL + n * 528000000 + (long long)zone * 1234567, n % 4 == 3);
    }
    /* The hour that there is twice, and the one that there is not; fields beyond their range. */
    setenv("TZ", "Europe/Berlin", 1);
    for (int month = 2; month < 10; month += 7)
        for (int dst = -1; dst < 2; dst++) {
            struct tm t = {.tm_year = 121, .tm_mon = month, .tm_mday = month == 2 ? 28 : 31, .tm_hour = 2, .tm_min = 30, .tm_isdst = dst};
            long long found = mktime(&t);
            printf("%lld ", found);
            show(&t);
            puts("");
        }
    struct tm far = {.tm_year = 70, .tm_mon = -130, .tm_mday = 800, .tm_hour = -1000, .tm_min = 100000, .tm_sec = -5, .tm_isdst = -1};
    long long found = mktime(&far);
    printf("%lld ", found);
    show(&far);
    puts("");
    /* localtime_r does not look at TZ again; tzset does. */
    setenv("TZ", "Asia/Tokyo", 1);
    time_t billion = 1000000000;
    struct tm t;
    puts(asctime(localtime_r(&billion, &t)));
    tzset();
    puts(asctime(localtime_r(&billion, &t)));
    puts(ctime(&billion));
    show(gmtime(&billion));
    unsetenv("TZ");
    show_at(billion, 0);
    return 0;
}
