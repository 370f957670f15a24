/* Lempel, Ziv and Welch: packed and unpacked. */
#include <stdio.h>
#include <string.h>

static struct { short prefix; unsigned char last; } entry[512];
static int find(int prefix, int c, int n) { for (int i = 256; i < n; i++) if (entry[i].prefix == prefix && entry[i].last == c) return i; return -1; }
static int expand(int code, char *out) {
    char back[64];
    int n = 0, k = 0;
    for (; code >= 256; code = entry[code].prefix) back[n++] = entry[code].last;
    back[n++] = code;
    while (n) out[k++] = back[--n];
    return k;
}

int main(void) {
    const char *text = "TOBEORNOTTOBEORTOBEORNOT#TOBEORNOTTOBE";
    int codes[64], used = 0, n = 256, now = text[0];
    for (const char *p = text + 1; *p; p++) {
        int longer = find(now, *p, n);
        if (longer >= 0) now = longer;
        else codes[used++] = now, entry[n].prefix = now, entry[n++].last = *p, now = *p;
    }
    codes[used++] = now;
    char back[100];
    int length = 0;
    for (int i = 0; i < used; i++) length += expand(codes[i], back + length);
    back[length] = 0;
    printf("%d %d %s\n", (int)strlen(text), used, back);
    return strcmp(text, back);
}
