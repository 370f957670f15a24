/* String functions that compilers replace: constant arguments, single characters, known lengths. */
#include <stdio.h>
#include <string.h>

int main(void) {
    char b[64] = "abc";
    volatile int n = 3;
    strcat(b, "def");
    strncat(b, "ghijk", n);
    printf("%s %zu %zu\n", b, strlen(b), strlen("const"));
    printf("%d %d %d\n", strcmp(b, "abcdefghi"), strncmp(b, "abcx", 3), memcmp(b, "abd", 3) < 0);
    printf("%s %s %td\n", strchr(b, 'e'), strrchr("banana", 'a'), strstr(b, "fg") - b);
    memcpy(b + 10, "0123456789", 11);
    memmove(b + 12, b + 10, 8);
    printf("%s %d\n", b + 10, (int)(stpcpy(b, "xy") - b));
    sprintf(b, "%s%d%c", "n=", n, '!');
    puts(b);
    printf("%s", "with newline\n");
    printf("%c", 'c'), printf("\n"), printf("%s\n", "puts"), printf("");
    return 0;
}
