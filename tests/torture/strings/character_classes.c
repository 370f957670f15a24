/* <ctype.h> for all of unsigned char and EOF, in the C locale. */
#include <ctype.h>
#include <stdio.h>

int main(void) {
    unsigned sum = 0;
    for (int c = -1; c < 256; c++) {
        int bits = !!isalpha(c) | !!isdigit(c) << 1 | !!isspace(c) << 2 | !!isupper(c) << 3 | !!islower(c) << 4 | !!ispunct(c) << 5 |
                   !!iscntrl(c) << 6 | !!isprint(c) << 7 | !!isgraph(c) << 8 | !!isxdigit(c) << 9 | !!isblank(c) << 10 | !!isalnum(c) << 11;
        sum = sum * 31 + bits;
        if (c >= 0) sum = sum * 7 + toupper(c) * 3 + tolower(c);
    }
    printf("%u %c%c%c\n", sum, toupper('z'), tolower('Q'), toascii(0xe1));
    return 0;
}
