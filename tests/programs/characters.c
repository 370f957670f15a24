/* characters.c: what kind of character each number is that <ctype.h> can be asked about: those of unsigned char, EOF, and of char as glibc has it. */
#include <ctype.h>
#include <stdio.h>

int main(void) {
    for (int c = -128; c < 256; ++c) {
        int kinds = !!isspace(c) | !!isalpha(c) << 1 | !!isprint(c) << 2 | !!ispunct(c) << 3 | !!isdigit(c) << 4 | !!iscntrl(c) << 5 | !!isupper(c) << 6 |
                    !!islower(c) << 7 | !!isxdigit(c) << 8 | !!isblank(c) << 9 | !!isgraph(c) << 10 | !!isalnum(c) << 11;
        int calls = !!(isspace)(c) | !!(isalpha)(c) << 1 | !!(isprint)(c) << 2 | !!(ispunct)(c) << 3 | !!(isdigit)(c) << 4 | !!(iscntrl)(c) << 5 |
                    !!(isupper)(c) << 6 | !!(islower)(c) << 7 | !!(isxdigit)(c) << 8 | !!(isblank)(c) << 9 | !!(isgraph)(c) << 10 | !!(isalnum)(c) << 11;
        /* What glibc makes of a negative one here is another number. */
        int upper = c < EOF ? c : toupper(c), lower = c < EOF ? c : tolower(c);
        if (kinds || calls || upper != c || lower != c) printf("%d: %x %x %d %d\n", c, kinds, calls, upper, lower);
    }
    return 0;
}
