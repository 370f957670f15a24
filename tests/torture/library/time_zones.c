/* TZ: fixed offsets and daylight saving by rule. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int main(void) {
    static const char *zones[] = {"UTC0", "EST5", "CET-1CEST,M3.5.0,M10.5.0/3", "IST-5:30"};
    for (int i = 0; i < 4; i++) {
        setenv("TZ", zones[i], 1);
        tzset();
        for (time_t t = 1700000000; t < 1740000000; t += 15000000) {
            struct tm *l = localtime(&t);
            printf("%02d:%02d %d ", l->tm_hour, l->tm_min, l->tm_isdst);
        }
        printf("%s\n", tzname[0]);
    }
    return 0;
}
