/* strspn, strcspn, strpbrk, strstr, memmem, strcasestr. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>

int main(void) {
    const char *s = "the quick brown fox jumps over the lazy dog";
    printf("%zu %zu %zu %zu\n", strspn(s, "eht "), strcspn(s, "xyz"), strspn("", "a"), strcspn(s, ""));
    printf("%s|%s\n", strpbrk(s, "qxz"), strpbrk(s, "0") ? "found" : "none");
    printf("%td %td %d %td\n", strstr(s, "over") - s, strstr(s, "") - s, strstr(s, "cat") == NULL, strstr("aaaaaab", "aab") - "aaaaaab" >= 0 ? 4 : 5);
    printf("%td\n", (char *)memmem(s, 43, "lazy", 4) - s);
    printf("%td\n", strcasestr(s, "BROWN") - s);
    return 0;
}
