/* uchar.c: UTF-16 and UTF-32 characters. wchar_t is UTF-32; the other half of a surrogate pair waits in the state. */
#include <errno.h>
#include <string.h>
#include <uchar.h>
#include <wchar.h>

/* In __count of a state: a low surrogate to hand out, a high surrogate that has come in. newlib's counts are small. */
enum { LOW_TO_COME = 1 << 16, HIGH_CAME = 1 << 17 };

size_t mbrtoc32(char32_t *restrict c, const char *restrict s, size_t n, mbstate_t *restrict state) {
    static mbstate_t own;
    wchar_t wide;
    size_t length = mbrtowc(&wide, s, n, state ? state : &own);
    if (c && s && length < (size_t)-2) *c = (char32_t)wide;
    return length;
}

size_t c32rtomb(char *restrict s, char32_t c, mbstate_t *restrict state) {
    static mbstate_t own;
    return wcrtomb(s, (wchar_t)c, state ? state : &own);
}

size_t mbrtoc16(char16_t *restrict c, const char *restrict s, size_t n, mbstate_t *restrict state) {
    static mbstate_t own;
    if (!state) state = &own;
    char16_t ignored;
    if (!c || !s) c = &ignored;
    if (state->__count == LOW_TO_COME) {
        *c = (char16_t)state->__value.__wch;
        memset(state, 0, sizeof *state);
        return (size_t)-3;
    }
    wchar_t wide;
    size_t length = s ? mbrtowc(&wide, s, n, state) : mbrtowc(&wide, "", 1, state);
    if (length >= (size_t)-2) return length;
    if (wide < 0x10000) {
        *c = (char16_t)wide;
        return length;
    }
    *c = (char16_t)(0xd7c0 + (wide >> 10));
    state->__count = LOW_TO_COME;
    state->__value.__wch = 0xdc00 | (wide & 0x3ff);
    return length;
}

size_t c16rtomb(char *restrict s, char16_t c, mbstate_t *restrict state) {
    static mbstate_t own;
    if (!state) state = &own;
    if (!s) {
        memset(state, 0, sizeof *state);
        return 1;
    }
    wchar_t wide = c;
    int is_high = (c & 0xfc00) == 0xd800, is_low = (c & 0xfc00) == 0xdc00, high_came = state->__count == HIGH_CAME;
    if (is_low != high_came) {
        errno = EILSEQ;
        return (size_t)-1;
    }
    if (is_high) {
        state->__count = HIGH_CAME;
        state->__value.__wch = c;
        return 0;
    }
    if (is_low) {
        wide = (wchar_t)(((state->__value.__wch & 0x3ff) << 10) + (c & 0x3ff) + 0x10000);
        memset(state, 0, sizeof *state);
    }
    return wcrtomb(s, wide, state);
}
