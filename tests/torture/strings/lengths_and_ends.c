/* Strings of every alignment and length against word-at-a-time loops: strlen, strnlen, strchr, memchr, strcpy. */
#include <stdio.h>
#include <string.h>

int main(void) {
    char buffer[64], copy[64];
    unsigned sum = 0;
    for (int at = 0; at < 8; at++)
        for (int n = 0; n < 20; n++) {
            memset(buffer, 'x', sizeof buffer);
            buffer[at + n] = 0;
            buffer[at + n / 2] = n ? 'y' : 0;
            char *y = strchr(buffer + at, 'y'), *m = memchr(buffer + at, 'y', 10), *r = strrchr(buffer + at, 'x');
            strcpy(copy + (n & 3), buffer + at);
            sum = sum * 31 + strlen(buffer + at) * 7 + strnlen(buffer + at, 9) * 3 + (y ? y - buffer : 99) + (m ? m - buffer : 88)
                + (r ? r - buffer : 77) + strlen(copy + (n & 3));
        }
    printf("%u\n", sum);
    return 0;
}
