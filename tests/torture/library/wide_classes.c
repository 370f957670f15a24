/* <wctype.h> on ASCII. */
#include <stdio.h>
#include <wchar.h>
#include <wctype.h>

int main(void) {
    unsigned sum = 0;
    for (wint_t c = 0; c < 128; c++) {
        sum = sum * 31 + (!!iswalpha(c) | !!iswdigit(c) << 1 | !!iswspace(c) << 2 | !!iswupper(c) << 3 | !!iswpunct(c) << 4 | !!iswprint(c) << 5);
        sum = sum * 7 + towupper(c) + towlower(c) * 3 + !!iswctype(c, wctype("xdigit"));
    }
    printf("%u\n", sum);
    return 0;
}
