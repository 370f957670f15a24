/* wcslen, wcscpy, wcscmp, wcschr, wcstok, wcstol, wmemset, wcsstr. */
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

int main(void) {
    wchar_t b[32] = L"alpha,beta;gamma", *state;
    printf("%zu %td %td\n", wcslen(b), wcschr(b, L',') - b, wcsstr(b, L"gam") - b);
    for (wchar_t *t = wcstok(b, L",;", &state); t; t = wcstok(NULL, L",;", &state)) printf("%ls ", t);
    wcscpy(b, L"-42x"), wcscat(b, L"yz");
    wchar_t *end;
    printf("%ld %ls %g\n", wcstol(b, &end, 10), end, wcstod(L"2.5", NULL));
    wmemset(b, L'z', 3), b[3] = 0;
    printf("%d %d %ls\n", wcscmp(b, L"zzz"), wcsncmp(L"abc", L"abd", 2), b);
    return 0;
}
