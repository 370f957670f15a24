/* regex: divergent. A matcher of regular expressions by backtracking (characters, ., [a-z] and [^a-z], ^, $, and *, +, ? after
 * one of them); each PE looks for one of 16 expressions everywhere in a text of its own. */
#include "bench.h"

enum { length = 700, expressions = 16 };

CONSTANT char patterns[expressions][20] = {
    "a*b+c", "[a-c]+d", "b.d.", "[^a-d]+a", "ab?c?d", "d+.*a$", "^a.*b", "[ab]*[cd]+e",
    "a.*b.*c", "e+", "[a-f]*ff", "c[^ ]*d", ".a.b.c", "f?e?d?c?b?a", " [a-c]+ ", "[^ ]+ $"};

FUNCTION int match_here(const char *pattern, const char *text);

/* How many characters of a pattern are its first element. */
FUNCTION int element_length(const char *pattern)
{
    int n = 1;
    if (pattern[0] == '[')
        while (pattern[n++] != ']') continue;
    return n;
}

FUNCTION int matches_one(const char *element, int c)
{
    if (c == 0) return 0;
    if (element[0] == '.') return 1;
    if (element[0] != '[') return element[0] == c;
    const int negated = *++element == '^';
    int found = 0;
    for (element += negated; *element != ']'; element++) {
        if (element[1] == '-') {
            found |= element[0] <= c && c <= element[2];
            element += 2;
        } else {
            found |= *element == c;
        }
    }
    return found != negated;
}

FUNCTION int match_repeated(const char *element, int least, int most, const char *rest, const char *text)
{
    int count = 0;
    while (count < most && matches_one(element, text[count])) count++;
    for (; count >= least; count--)
        if (match_here(rest, text + count)) return 1;
    return 0;
}

FUNCTION int match_here(const char *pattern, const char *text)
{
    if (pattern[0] == 0) return 1;
    if (pattern[0] == '$' && pattern[1] == 0) return text[0] == 0;
    const int n = element_length(pattern);
    if (pattern[n] == '*') return match_repeated(pattern, 0, 40, pattern + n + 1, text);
    if (pattern[n] == '+') return match_repeated(pattern, 1, 40, pattern + n + 1, text);
    if (pattern[n] == '?') return match_repeated(pattern, 0, 1, pattern + n + 1, text);
    return matches_one(pattern, text[0]) && match_here(pattern + n, text + 1);
}

FUNCTION unsigned work(unsigned rank)
{
    PRIVATE char text[length + 1], pattern[20];
    unsigned x = rank + 1, sum = 0;
    for (int i = 0; i < length; i++) {
        const unsigned c = (next_random(&x) >> 16) % 9;
        text[i] = (char)(c < 6 ? 'a' + c : c < 8 ? 'a' + (c - 6) : ' ');
    }
    text[length] = 0;
    for (unsigned i = 0; i < 2; i++) {
        for (int k = 0; k < 20; k++) pattern[k] = patterns[(rank + i * 7) % expressions][k];
        const int anchored = pattern[0] == '^';
        for (unsigned at = 0; at < (anchored ? 1 : length); at++)
            if (match_here(pattern + anchored, text + at)) sum = sum * 31 + at;
    }
    return sum;
}
