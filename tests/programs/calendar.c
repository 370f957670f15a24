/* Calendar arithmetic of time.h in UTC: gmtime, strftime, and days counted by hand against it. */
#include <stdio.h>
#include <string.h>
#include <time.h>

static long days_from_civil(int y, int m, int d) {
    y -= m <= 2;
    int era = (y >= 0 ? y : y - 399) / 400;
    unsigned of_era = (unsigned)(y - era * 400), of_year = (unsigned)((153 * (m + (m > 2 ? -3 : 9)) + 2) / 5 + d - 1);
    return era * 146097L + (long)(of_era * 365 + of_era / 4 - of_era / 100 + of_year) - 719468;
}

int main(void) {
    static const time_t times[] = {0, 86399, 951782400, 1000000000, 1234567890, 2147483647, 1709164800, 1735689599};
    for (int i = 0; i < 8; i++) {
        struct tm t = *gmtime(&times[i]);
        char text[80];
        size_t n = strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S %a %b %j %y %I%p", &t);
        long days = days_from_civil(t.tm_year + 1900, t.tm_mon + 1, t.tm_mday);
        printf("%ld: %s (%zu) weekday %d, %s\n", (long)times[i], text, n, t.tm_wday, days == (long)(times[i] / 86400) ? "right" : "wrong");
    }
    struct tm t = {.tm_year = 124, .tm_mon = 1, .tm_mday = 29, .tm_hour = 12};
    printf("%s", asctime(&t));
    printf("%g\n", difftime(times[4], times[3]));
    return 0;
}
