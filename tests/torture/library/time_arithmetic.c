/* Day of the week, leap years and differences of dates, by hand and by mktime. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static int weekday(int y, int m, int d) {
    static const int t[] = {0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4};
    y -= m < 3;
    return (y + y / 4 - y / 100 + y / 400 + t[m - 1] + d) % 7;
}

int main(void) {
    setenv("TZ", "UTC0", 1);
    int bad = 0;
    for (int y = 1971; y < 2037; y += 3)
        for (int m = 1; m <= 12; m++) {
            struct tm t = {.tm_year = y - 1900, .tm_mon = m - 1, .tm_mday = 28};
            mktime(&t);
            bad += t.tm_wday != weekday(y, m, 28);
        }
    printf("%d\n", bad);
    return 0;
}
