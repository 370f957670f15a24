/* iconv.c: text from one encoding to another. */
#include <errno.h>
#include <iconv.h>
#include <stdio.h>
#include <string.h>

static void convert(const char *to, const char *from, const char *text, size_t bytes, size_t room) {
    char out[64], *in = (char *)text, *end = out;
    size_t left = bytes, space = room;
    iconv_t conversion = iconv_open(to, from);
    if (conversion == (iconv_t)-1) {
        printf("%s -> %s: %s\n", from, to, errno == EINVAL ? "EINVAL" : "?");
        return;
    }
    errno = 0;
    size_t result = iconv(conversion, &in, &left, &end, &space);
    printf("%s -> %s: %d%s, %d left, %d free:", from, to, (int)result,
           errno == EINVAL ? " EINVAL" : errno == EILSEQ ? " EILSEQ" : errno == E2BIG ? " E2BIG" : "", (int)left, (int)space);
    for (char *byte = out; byte < end; ++byte) printf(" %02x", *byte & 0xff);
    puts("");
    iconv_close(conversion);
}
#define CONVERT(to, from, text) convert(to, from, text, sizeof text - 1, 64)

int main(void) {
    static const char text[] = "aä€\xf0\x9f\x98\x80z";
    static const char *const unicode[] = {"UTF-8", "utf8", "UTF-16LE", "UTF-16BE", "UTF-16", "UTF-32", "UTF-32BE", "UCS-4", "WCHAR_T"};
    for (unsigned i = 0; i < sizeof unicode / sizeof *unicode; ++i) CONVERT(unicode[i], "UTF-8", text);
    static const char *const small[] = {"UCS-2", "UCS-2BE", "ASCII", "US-ASCII", "ANSI_X3.4-1968", "ISO-8859-1", "LATIN1", "ISO8859-1", "ISO-8859-15", "CP1252"};
    for (unsigned i = 0; i < sizeof small / sizeof *small; ++i) {
        CONVERT(small[i], "UTF-8", "a\xc2\xa3\xc3\xa4z");
        CONVERT(small[i], "UTF-8", "€");
    }
    CONVERT("UTF-8", "ISO-8859-15", "a\xa4\xa6\xe4");
    CONVERT("UTF-8", "WINDOWS-1252", "a\x80\x9f\xe4");
    CONVERT("UTF-8", "CP1252", "a\x81");
    CONVERT("UTF-8", "ASCII", "a\x81");
    CONVERT("UTF-8", "UTF-16", "\xfe\xff\0a\0b");
    CONVERT("UTF-8", "UTF-16", "\xff\xfe" "a\0b");
    CONVERT("UTF-8", "UTF-16", "a\0b\0");
    CONVERT("UTF-8", "UTF-16LE", "\x3d\xd8\0\xde");
    CONVERT("UTF-8", "UTF-16LE", "\x3d\xd8" "a\0");
    CONVERT("UTF-8", "UTF-16LE", "\x3d\xd8");
    CONVERT("UTF-8", "UTF-16LE", "\0\xde");
    CONVERT("UTF-8", "UTF-32LE", "\0\xd8\0\0");
    CONVERT("UTF-16LE", "UTF-8", "a\xc0\x80");
    CONVERT("UTF-16LE", "UTF-8", "a\xe2\x82");
    CONVERT("UTF-16LE", "UTF-8", "a\xed\xa0\x80");
    CONVERT("UTF-16LE", "UTF-8", "a\xf4\x90\x80\x80");
    CONVERT("ASCII//IGNORE", "UTF-8", "aäb");
    CONVERT("ASCII//TRANSLIT", "UTF-8", "a\xe2\x98\x83" "b");
    CONVERT("UTF-99", "UTF-8", "");
    CONVERT("UTF-8", "no-such-encoding-at-all", "");
    convert("UTF-16LE", "UTF-8", text, sizeof text - 1, 5);
    convert("UTF-8", "UTF-8", text, sizeof text - 1, 5);

    /* One after the other, and again from the beginning. */
    iconv_t conversion = iconv_open("UTF-16", "UTF-8");
    char out[32], *end = out, *in = "ab";
    size_t left = 1, space = sizeof out;
    iconv(conversion, &in, &left, &end, &space);
    left = 1;
    iconv(conversion, &in, &left, &end, &space);
    iconv(conversion, NULL, NULL, &end, &space);
    in = "c", left = 1;
    iconv(conversion, &in, &left, &end, &space);
    for (char *byte = out; byte < end; ++byte) printf("%02x ", *byte & 0xff);
    puts("");
    return iconv_close(conversion);
}
