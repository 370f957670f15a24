/* sprintf, snprintf cut short, their results, and buffers of size 0 and 1. */
#include <stdio.h>
#include <string.h>

int main(void) {
    char b[16];
    memset(b, '#', 16);
    int a = snprintf(b, 5, "%s", "long text");
    printf("%d %s %c\n", a, b, b[5]);
    a = snprintf(b, 1, "%d", 12345);
    printf("%d [%s] %d\n", a, b, snprintf(NULL, 0, "%g", 1.25));
    a = sprintf(b, "%05.1f|%c", 2.25, 0);
    printf("%d %s %d\n", a, b, b[6]);
    char *text;
    a = asprintf(&text, "%s-%d", "allocated", 7);
    printf("%d %s\n", a, text);
    return 0;
}
