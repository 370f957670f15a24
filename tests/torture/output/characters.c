/* putchar, putc, fputc, puts, fputs, and their results; unsigned char in and out. */
#include <stdio.h>

int main(void) {
    int sum = 0;
    for (const char *p = "characters\n"; *p; p++) sum += putchar(*p);
    sum += putc('x', stdout) + fputc(256 + 'y', stdout);
    sum += putchar('\n') + (fputs("fputs ", stdout) >= 0) + (puts("puts") >= 0);
    printf("%d\n", sum);
    return 0;
}
