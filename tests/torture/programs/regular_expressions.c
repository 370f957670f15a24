/* A matcher for . * ? + ^ $ and classes, by recursion. */
#include <stdio.h>

static int here(const char *r, const char *t);
static int one(const char *r, int c, const char **next) {
    if (*r == '[') {
        int invert = r[1] == '^', found = 0;
        for (r += 1 + invert; *r != ']'; r++)
            if (r[1] == '-' && r[2] != ']') found |= c >= r[0] && c <= r[2], r += 2;
            else found |= c == *r;
        *next = r + 1;
        return c && found != invert;
    }
    *next = r + 1;
    return c && (*r == '.' || *r == c);
}
static int here(const char *r, const char *t) {
    if (!*r) return 1;
    if (*r == '$' && !r[1]) return !*t;
    const char *next;
    int matches = one(r, *t, &next);
    if (*next == '*') {
        do if (here(next + 1, t)) return 1; while (*t && one(r, *t++, &next));
        return 0;
    }
    if (*next == '?') return (matches && here(next + 1, t + 1)) || here(next + 1, t);
    if (*next == '+') {
        while (*t && one(r, *t, &next)) if (here(next + 1, ++t)) return 1;
        return 0;
    }
    return matches && here(next, t + 1);
}
static int match(const char *r, const char *t) {
    if (*r == '^') return here(r + 1, t);
    do if (here(r, t)) return 1; while (*t++);
    return 0;
}

int main(void) {
    static const char *r[] = {"ab*c", "^a.c$", "[0-9]+x", "colou?r", "[^a-z ]", "a*a*a*b", "^$", "z$"}, *t[] = {"abbbc", "ac", "axc", "x12x", "color", "colour", "", "aaaa", "buzz"};
    for (int i = 0; i < 8; i++) {
        for (int j = 0; j < 9; j++) putchar('0' + match(r[i], t[j]));
        putchar(' ');
    }
    puts("");
    return 0;
}
