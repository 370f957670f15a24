/* __func__, __FUNCTION__, concatenation, escapes, wide and UTF strings, arrays from them. */
#include <stdio.h>
#include <wchar.h>

static const char *who(void) { return __func__; }

int main(void) {
    char cut[3] = "abc", longer[8] = "ab", joined[] = "a" "b\0c" "\x64" "e";
    wchar_t w[] = L"w\u00e4\U0001f600";
    __CHAR16_TYPE__ u[] = u"\u20ac\U0001f600";
    __CHAR32_TYPE__ U[] = U"\U0001f600";
    printf("%s %s %zu %zu %c%c%c %d\n", who(), __FUNCTION__, sizeof joined, sizeof w, cut[0], cut[1], cut[2], longer[7]);
    printf("%x %x %x %x %x %zu %zu\n", (unsigned)w[1], (unsigned)w[2], u[0], u[1], u[2], sizeof u, sizeof U);
    printf("%s%c%s\a\b\f\v\033\n", u8"\u00e9", "\?\\\"\'"[2], R"(raw\n)");
    return joined[4];
}
