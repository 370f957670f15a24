/* strncpy pads, strncat ends, memccpy stops, stpncpy points, strlcpy tells, memmove overlaps both ways. */
#include <stdio.h>
#include <string.h>

static void show(const char *b, int n) {
    for (int i = 0; i < n; i++) printf("%c", b[i] ? b[i] : '.');
    puts("");
}

int main(void) {
    char b[16];
    memset(b, '#', 16), strncpy(b, "abc", 7), show(b, 16);
    memset(b, '#', 16), strncpy(b, "abcdefgh", 4), show(b, 16);
    strcpy(b, "ab"), strncat(b, "cdefg", 3), show(b, 8);
    memset(b, '#', 16);
    char *p = memccpy(b, "hello world", 'o', 16);
    show(b, 16), printf("%td %d\n", p - b, memccpy(b, "xyz", 'q', 3) == NULL);
    memset(b, '#', 16);
    printf("%td %td\n", stpncpy(b, "abc", 6) - b, stpncpy(b, "abcdefgh", 5) - b);
    strcpy(b, "0123456789"), memmove(b + 2, b, 8), show(b, 12);
    strcpy(b, "0123456789"), memmove(b, b + 3, 7), show(b, 12);
    return 0;
}
