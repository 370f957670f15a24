/* A regular expression matcher by backtracking: . * + ? ^ $ [a-z] [^x] ( | ) \d \w \s. */
#include <stdio.h>
#include <string.h>

/* Grammar: alternatives = sequence { '|' sequence }; a continuation says what must follow the current part. */
typedef struct Next { const char *pattern, *end; const struct Next *outer; } Next;

static const char *subject;
static int match_sequence(const char *p, const char *end, const char *s, const Next *next, const char **stop);

static const char *item_end(const char *p) {
    if (*p == '\\') return p + 2;
    if (*p == '[') {
        p++;
        if (*p == '^') p++;
        do p++; while (*p != ']');
        return p + 1;
    }
    if (*p == '(') {
        int depth = 0;
        do {
            if (*p == '\\') p++;
            else if (*p == '(') depth++;
            else if (*p == ')') depth--;
            p++;
        } while (depth);
        return p;
    }
    return p + 1;
}

static int in_class(char kind, char c) {
    int digit = c >= '0' && c <= '9', space = c == ' ' || c == '\t';
    int letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    switch (kind) {
    case 'd': return digit;
    case 'w': return digit || letter;
    case 's': return space;
    default: return c == kind;
    }
}

static int one(const char *p, char c) {
    if (!c) return 0;
    if (*p == '.') return 1;
    if (*p == '\\') return in_class(p[1], c);
    if (*p != '[') return *p == c;
    int negated = p[1] == '^', found = 0;
    for (p += 1 + negated; *p != ']'; p++) {
        if (p[1] == '-' && p[2] != ']') { found |= c >= p[0] && c <= p[2]; p += 2; }
        else found |= *p == c;
    }
    return found != negated;
}

static int match_alternatives(const char *p, const char *end, const char *s, const Next *next, const char **stop) {
    for (const char *start = p;;) {
        while (p < end && *p != '|') p = item_end(p);
        if (match_sequence(start, p, s, next, stop)) return 1;
        if (p >= end) return 0;
        start = ++p;
    }
}

static int match_sequence(const char *p, const char *end, const char *s, const Next *next, const char **stop) {
    if (p >= end) {
        if (!next) { *stop = s; return 1; }
        return match_sequence(next->pattern, next->end, s, next->outer, stop);
    }
    if (*p == '^') return s == subject && match_sequence(p + 1, end, s, next, stop);
    if (*p == '$' && p + 1 == end && !next) return !*s && match_sequence(p + 1, end, s, next, stop);
    const char *after = item_end(p);
    char repeat = after < end ? *after : 0;
    int least = repeat == '*' || repeat == '?' ? 0 : 1, most = repeat == '*' || repeat == '+' ? 1000 : 1;
    const char *rest = repeat == '*' || repeat == '+' || repeat == '?' ? after + 1 : after;
    if (*p == '(') {
        if (most > 1) { /* a group again, or what follows */
            Next again = {p, end, next};
            Next once = {rest, end, next};
            char star[64];
            size_t n = (size_t)(after - p);
            memcpy(star, p, n); star[n] = '*'; star[n + 1] = 0;
            Next more = {star, star + n + 1, &once};
            (void)again;
            if (*s && match_alternatives(p + 1, after - 1, s, &more, stop) && *stop > s) return 1;
        } else {
            Next once = {rest, end, next};
            if (match_alternatives(p + 1, after - 1, s, &once, stop)) return 1;
        }
        if (least) return most > 1 ? match_alternatives(p + 1, after - 1, s, &(Next){rest, end, next}, stop) : 0;
        return match_sequence(rest, end, s, next, stop);
    }
    int count = 0;
    while (count < most && one(p, s[count])) count++;
    for (; count >= least; count--)
        if (match_sequence(rest, end, s + count, next, stop)) return 1;
    return 0;
}

static void search(const char *pattern, const char *text) {
    subject = text;
    for (const char *s = text;; s++) {
        const char *stop;
        if (match_alternatives(pattern, pattern + strlen(pattern), s, NULL, &stop)) {
            printf("/%s/ in \"%s\": \"%.*s\" at %d\n", pattern, text, (int)(stop - s), s, (int)(s - text));
            return;
        }
        if (!*s) break;
    }
    printf("/%s/ in \"%s\": no\n", pattern, text);
}

int main(void) {
    search("b+", "aabbbcc");
    search("^abc$", "abc");
    search("^abc$", "abcd");
    search("a.c", "xxabc");
    search("colou?r", "my color");
    search("[0-9]+", "order 1234, please");
    search("[^a-z ]", "only letters!");
    search("cat|dog|bird", "hot dog");
    search("(ab|cd)+e", "xabcdabe");
    search("(a|b)*c", "abbac");
    search("\\d\\d:\\d\\d", "at 12:45 sharp");
    search("\\w+@\\w+\\.(com|org)", "write to joe_1@site.org now");
    search("x*", "aaa");
    search("a*a*a*a*b", "aaaaaaaaaaaaac");
    search("(x(y|z)?)+w", "axyxzxw");
    search("^\\s*$", "  \t ");
    return 0;
}
