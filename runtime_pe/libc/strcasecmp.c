/* strcasecmp.c: newlib's takes characters above 127 for negative ones. */
#include <ctype.h>
#include <strings.h>

int strncasecmp(const char *a, const char *b, size_t count) {
    for (; count > 0; count--, a++, b++) {
        int difference = tolower((unsigned char)*a) - tolower((unsigned char)*b);
        if (difference || !*a) return difference;
    }
    return 0;
}

int strcasecmp(const char *a, const char *b) { return strncasecmp(a, b, (size_t)-1); }
