/* Words and letters reversed in place, rotations, palindromes, anagrams. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

static void reverse(char *a, char *b) { while (a < --b) { char t = *a; *a++ = *b, *b = t; } }
static int palindrome(const char *s) {
    const char *e = s + strlen(s);
    while (s < e) {
        if (!isalpha(*s)) s++;
        else if (!isalpha(e[-1])) e--;
        else if (tolower(*s++) != tolower(*--e)) return 0;
    }
    return 1;
}

int main(void) {
    char text[] = "no lemon no melon today";
    reverse(text, text + strlen(text));
    for (char *p = text, *q; *p; p = *q ? q + 1 : q) q = p + strcspn(p, " "), reverse(p, q);
    printf("%s %d %d\n", text, palindrome("A man, a plan, a canal: Panama!"), palindrome("palindrome"));
    reverse(text, text + 5), reverse(text + 5, text + 23), reverse(text, text + 23);
    puts(text);
    return 0;
}
