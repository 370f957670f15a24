/* %lc and %ls of ASCII, wprintf into buffers. */
#include <stdio.h>
#include <wchar.h>

int main(void) {
    printf("%lc%ls%.2ls|%5ls\n", (wint_t)L'w', L"ide", L"cut", L"r");
    wchar_t b[32];
    int n = swprintf(b, 32, L"%d %ls %s %.1f", 42, L"wide", "narrow", 2.5);
    printf("%d %ls\n", n, b);
    return 0;
}
