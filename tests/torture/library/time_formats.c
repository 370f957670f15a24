/* strftime's conversions one by one, with widths of results, and too small a buffer. */
#include <stdio.h>
#include <time.h>

int main(void) {
    struct tm t = {.tm_sec = 5, .tm_min = 4, .tm_hour = 15, .tm_mday = 9, .tm_mon = 1, .tm_year = 100, .tm_wday = 3, .tm_yday = 39};
    static const char *f[] = {"%a", "%A", "%b", "%B", "%c", "%C", "%d", "%D", "%e", "%F", "%H", "%I", "%j", "%m", "%M", "%n", "%p", "%r", "%R", "%S", "%t", "%T", "%u", "%U", "%w", "%W", "%x", "%X", "%y", "%Y", "%G", "%g", "%V", "%%"};
    char text[64];
    for (unsigned i = 0; i < sizeof f / sizeof *f; i++) {
        size_t n = strftime(text, sizeof text, f[i], &t);
        printf("%s=%s(%zu) ", f[i], text, n);
    }
    printf("%zu\n", strftime(text, 4, "%Y", &t));
    return 0;
}
