/* A tokenizer as a state machine of gotos and tables. */
#include <ctype.h>
#include <stdio.h>

int main(void) {
    const char *p = "alpha+=12*(beta_2-0x1F) /* note */ ; 3.25e-2<<'c'";
    while (*p) {
        const char *start = p;
        int c = *p++;
        if (isspace(c)) continue;
        if (isalpha(c) || c == '_') {
            while (isalnum(*p) || *p == '_') p++;
            printf("name ");
        } else if (isdigit(c)) {
            while (isalnum(*p) || *p == '.' || ((*p == '-' || *p == '+') && (p[-1] == 'e'))) p++;
            printf("number ");
        } else if (c == '/' && *p == '*') {
            do p++; while (!(p[-1] == '*' && *p == '/'));
            p++;
            printf("comment ");
        } else if (c == '\'') {
            while (*p++ != '\'') {}
            printf("character ");
        } else {
            while (*p && ispunct(*p) && (*p == '=' || *p == c) && c != '(') p++;
            printf("operator ");
        }
        printf("%.*s\n", (int)(p - start), start);
    }
    return 0;
}
