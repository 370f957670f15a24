/* string.h and ctype.h: every common function, including overlapping moves and all alignments. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "testing.h"

static int sign(int x) { return (x > 0) - (x < 0); }
static const char *shown(const char *s) { return s ? s : "(none)"; }

int main(void) {
    char buffer[128];
    strcpy(buffer, "hello");
    strcat(buffer, ", ");
    strncat(buffer, "world and more", 5);
    printf("%s %zu\n", buffer, strlen(buffer));
    memset(buffer, '#', sizeof buffer);
    strncpy(buffer, "short", 10);
    printf("%s %d %c\n", buffer, buffer[9], buffer[10]);
    printf("%d %d %d %d %d\n", sign(strcmp("abc", "abd")), sign(strcmp("abc", "ab")), sign(strcmp("", "")), sign(strcmp("\xff", "\x01")), sign(strcmp("same", "same")));
    printf("%d %d %d %d\n", sign(strncmp("abcdef", "abcxyz", 3)), sign(strncmp("abcdef", "abcxyz", 4)), sign(strcasecmp("HeLLo", "hEllO")), sign(strncasecmp("ABx", "abY", 3)));
    printf("%d %d\n", sign(memcmp("a\0b", "a\0c", 3)), sign(memcmp("\x80", "\x7f", 1)));
    const char *text = "the quick brown fox jumps over the lazy dog";
    printf("%s|%s|%s|%s\n", shown(strchr(text, 'q')), shown(strrchr(text, 'o')), shown(strchr(text, 'Q')), shown(strstr(text, "jumps")));
    printf("%s|%s|%d\n", shown(strstr(text, "cat")), shown(strstr(text, "")), strchr(text, 0) == text + strlen(text));
    printf("%zu %zu %s\n", strspn(text, "the "), strcspn(text, "xyz"), shown(strpbrk(text, "zxq")));
    printf("%s %d\n", (const char *)memchr(text, 'z', strlen(text)), memchr(text, 'z', 5) == NULL);
    printf("%zu %zu\n", strnlen(text, 10), strnlen("abc", 10));

    strcpy(buffer, "one,two;;three , four");
    for (char *token = strtok(buffer, ",; "); token; token = strtok(NULL, ",; ")) printf("<%s>", token);
    char *rest;
    strcpy(buffer, "a:b::c");
    for (char *token = strtok_r(buffer, ":", &rest); token; token = strtok_r(NULL, ":", &rest)) printf("[%s]", token);
    char *copy = strdup(text);
    printf("\n%s\n", copy);
    free(copy);

    for (int shift = -5; shift <= 5; shift += 5) {
        strcpy(buffer, "0123456789abcdefghijklmnopqrstuvwxyz");
        memmove(buffer + 10 + shift, buffer + 10, 20);
        printf("%s\n", buffer);
    }
    uint32_t sum = HASH_START;
    for (int from = 0; from < 5; from++)
        for (int to = 0; to < 5; to++)
            for (int n = 0; n < 40; n += 3) {
                unsigned char area[80];
                for (int i = 0; i < 80; i++) area[i] = (unsigned char)i;
                memmove(area + 16 + to, area + 16 + from, (size_t)n);
                memset(area + from, 0xa5, (size_t)to);
                sum = hash_bytes(sum, area, sizeof area);
            }
    printf("moves %08x\n", sum);
    /* strlen and strcmp of every alignment: word-wise library code reads past the end, but must not be fooled. */
    char area[64];
    for (int start = 0; start < 8; start++)
        for (int length = 0; length < 20; length++) {
            memset(area, 'x', sizeof area);
            area[start + length] = 0;
            char other[64];
            memset(other, 'x', sizeof other);
            other[(start * 3) % 8 + length] = 0;
            sum = hash_u32(sum, (uint32_t)strlen(area + start));
            sum = hash_u32(sum, (uint32_t)strcmp(area + start, other + (start * 3) % 8));
        }
    printf("alignments %08x\n", sum);
    int classes[8] = {0};
    for (int c = 0; c < 128; c++) {
        classes[0] += isalpha(c) != 0; classes[1] += isdigit(c) != 0; classes[2] += isspace(c) != 0; classes[3] += isupper(c) != 0;
        classes[4] += ispunct(c) != 0; classes[5] += isxdigit(c) != 0; classes[6] += isprint(c) != 0; classes[7] += iscntrl(c) != 0;
        sum = hash_u32(sum, (uint32_t)(toupper(c) << 8 | tolower(c)));
    }
    for (int i = 0; i < 8; i++) printf("%d ", classes[i]);
    printf("%08x\n", sum);
    return 0;
}
