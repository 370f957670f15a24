/* %s, %c, %%, with widths, precisions, stars, and what lies after a precision untouched. */
#include <stdio.h>

int main(void) {
    const char open_ended[3] = {'a', 'b', 'c'};
    printf("[%s][%5s][%-5s][%.2s][%5.1s][%-6.3s]\n", "abc", "abc", "abc", "abc", "abc", "abcdef");
    printf("[%.3s][%.*s][%*s][%-*s][%*.*s]\n", open_ended, 2, "xyz", 6, "r", 6, "l", 7, 2, "both");
    printf("[%*s][%.*s]\n", -6, "negative", -1, "all of it");
    printf("[%c][%3c][%-3c]%%\n", 'a', 'b', 'c');
    printf("%d%c%d\n", printf("%s", ""), 0x41, printf("four"));
    return 0;
}
