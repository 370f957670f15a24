/* gmtime, mktime, timegm-like arithmetic, strftime, asctime in UTC. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int main(void) {
    setenv("TZ", "UTC0", 1);
    tzset();
    static const time_t v[] = {0, 86399, 951782400, 1000000000, 1709164800, 2147483647, -1};
    char text[100];
    for (int i = 0; i < 7; i++) {
        struct tm t = *gmtime(&v[i]);
        strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S %a %A %b %B %j %U %w %y %p %I %e %%", &t);
        printf("%s %ld %d\n", text, (long)mktime(&t), t.tm_yday);
    }
    struct tm odd = {.tm_year = 124, .tm_mon = 13, .tm_mday = -5, .tm_hour = 30, .tm_min = 61};
    time_t when = mktime(&odd);
    printf("%ld %s", (long)when, asctime(gmtime(&when)));
    return (int)difftime(v[3], v[2]) & 127;
}
