/* strptime.c: text to time. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char *const texts[][2] = {
    {"12:02:46 AM 1990-11-03", "%I:%M:%S %p %Y-%m-%d"}, {"Sun Nov 04 03:02:46 AM 1990", "%a %b %d %I:%M:%S %p %Y"},
    {"PM 12:02:46", "%p %I:%M:%S"}, {"01:02 pm", "%I:%M %p"}, {"01:02 xm", "%I:%M %p"}, {"2024 131", "%Y %j"}, {"2023 366 1 2", "%Y %j %m %d"},
    {"Fri 5 Mar 99", "%a %d %b %y"}, {"1999-W12 99", "%G-W%V %g"}, {"03/04/05", "%D"}, {"2024-02-29", "%F"}, {"12:30:15 x", "%T"},
    {"11:30:10 PM", "%r"}, {"11:30 PM", "%r"}, {"657687766", "%s"}, {"+0130", "%z"}, {"-03:45x", "%z"}, {"+02", "%z"}, {"+2", "%z"}, {"+0160", "%z"}, {"Z", "%z"},
    {"20", "%C"}, {"20 17 3 1", "%C %y %m %d"}, {"Sat Nov  3 12:02:46 1990", "%c"}, {"  7", "%e"}, {"7", "%u"}, {"8", "%u"}, {"2024 51 3", "%Y %U %w"},
    {"2024 1 1", "%Y %W %u"}, {"2023 0 0", "%Y %W %w"}, {"UTC x", "%Z"}, {"x%y", "x%%y"}, {"x", "x%"}, {"noveMBER 3", "%B %d"}, {"Febru 3", "%B %d"},
    {"12:02", "%R"}, {"12 3", "%H%t%M"}, {"12 3", "%k %l"}, {"24", "%H"}, {"61", "%S"}, {"62", "%S"}, {"20240305T010203", "%Y%m%dT%H%M%S"},
    {"68", "%y"}, {"69", "%y"}, {"10 000", "%d000"}, {"a", "b"}, {"", "%d"}, {"", " "}, {"13", "%m"}, {"3", "%q"},
};

int main(void) {
    setenv("TZ", "UTC0", 1);
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; ++i) {
        struct tm time;
        memset(&time, 0, sizeof time);
        const char *rest = strptime(texts[i][0], texts[i][1], &time);
        printf("%s, %s: %s", texts[i][0], texts[i][1], rest ? rest : "no");
        if (rest)
            printf(" %d-%d-%d %d:%d:%d %d %d %ld", time.tm_year, time.tm_mon, time.tm_mday, time.tm_hour, time.tm_min, time.tm_sec, time.tm_wday,
                   time.tm_yday, time.tm_gmtoff);
        puts("");
    }
    return 0;
}
