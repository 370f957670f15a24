/* Reads standard input by getchar, fgets and scanf to its end. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "testing.h"

int main(void) {
    char line[200];
    int first = getchar();
    printf("first '%c'\n", first);
    ungetc(first, stdin);
    if (fgets(line, sizeof line, stdin)) printf("line: %s", line);
    int a, b;
    int n = scanf("%d %d", &a, &b);
    printf("scanf %d: %d %d\n", n, a, b);
    double sum = 0, d;
    while (scanf("%lf", &d) == 1) sum += d;
    printf("sum %g\n", sum);
    if (scanf("%10[a-z]", line) == 1) printf("word %s\n", line);
    int lines = 0, letters = 0;
    uint32_t hash = HASH_START;
    for (int c; (c = getchar()) != EOF;) {
        lines += c == '\n';
        letters += isalpha(c) != 0;
        hash = hash_u32(hash, (uint32_t)c);
    }
    printf("%d lines, %d letters, %08x, eof %d\n", lines, letters, hash, feof(stdin) != 0);
    printf("after the end: %d\n", getchar() == EOF);
    return 0;
}
