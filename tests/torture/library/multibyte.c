/* mbstowcs, wcstombs, mbtowc, btowc in the C locale. */
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

int main(void) {
    wchar_t w[16];
    char b[16];
    printf("%zu %zu\n", mbstowcs(w, "plain", 16), wcstombs(b, w, 16));
    wchar_t c;
    printf("%s %d %d %d\n", b, mbtowc(&c, "x", 1), mbtowc(&c, "", 1), (int)btowc('q'));
    mbstate_t s = {0};
    printf("%zu %d\n", mbrtowc(&c, "y", 1, &s), mbsinit(&s) != 0);
    return MB_CUR_MAX;
}
