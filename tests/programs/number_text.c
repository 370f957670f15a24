/* number_text.c: strtol and its kin, strtod, and every conversion of printf and scanf, at their edges. Not here is what
 * docs/c-library.md says of newlib: "0x" without digits, ERANGE of subnormals, %2$d, hexadecimal floats in scanf. */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

static void integers(const char *text, int base) {
    char *end;
    errno = 0;
    long l = strtol(text, &end, base);
    printf("[%s] %d: %ld +%d %d", text, base, l, (int)(end - text), errno);
    errno = 0;
    unsigned long ul = strtoul(text, &end, base);
    printf(" %lu +%d %d", ul, (int)(end - text), errno);
    errno = 0;
    long long ll = strtoll(text, &end, base);
    printf(" %lld +%d %d", ll, (int)(end - text), errno);
    errno = 0;
    unsigned long long ull = strtoull(text, &end, base);
    printf(" %llu +%d %d\n", ull, (int)(end - text), errno);
}

static void floats(const char *text) {
    char *end;
    uint64_t bits;
    uint32_t float_bits;
    errno = 0;
    double d = strtod(text, &end);
    memcpy(&bits, &d, sizeof bits);
    printf("[%s] %016" PRIx64 " +%d %d", text, d != d ? 0x7ff8000000000000u : bits, (int)(end - text), errno);
    errno = 0;
    float f = strtof(text, &end);
    memcpy(&float_bits, &f, sizeof float_bits);
    printf(" %08" PRIx32 " +%d %d\n", f != f ? 0x7fc00000u : float_bits, (int)(end - text), errno);
}

static void scans(const char *text, const char *format) {
    int i = -1, n = -1;
    char word[40] = "-";
    errno = 0;
    int found = sscanf(text, format, &i, word, &n);
    printf("[%s] [%s] %d: %d %s %d\n", text, format, found, i, word, n);
}

int main(void) {
    const char *numbers[] = {"0", "-0", "  +12x", "0x1F", "077", "089", "zz", "Z", "-1", "2147483647", "2147483648", "-2147483648",
                             "-2147483649", "4294967295", "4294967296", "-4294967295", "9223372036854775807", "9223372036854775808",
                             "-9223372036854775808", "-9223372036854775809", "18446744073709551615", "18446744073709551616", "", "-", "+-1", "\t\n 5 6"};
    static const int bases[] = {0, 10, 16, 36, 2};
    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; ++i)
        for (unsigned k = 0; k < (i < 6 ? 5 : 2); ++k)
            integers(numbers[i], bases[k]);
    const char *reals[] = {"0", "-0.0", "1", "1e", "1e+", "1e5x", ".5", "5.", ".", "-.e1", "0x1p3", "0x1.8p-1", "0x.8", "0x1.fffffffffffff8p0",
                           "0x1.fffffffffffff7p0", "inf", "-Infinity", "infinit", "nan", "nan(12)", "1e308", "1.7976931348623157e308", "1.7976931348623159e308",
                           "1e400", "-1e400", "1e-400", "3.4028235e38", "3.4028236e38", "1.1754943508222875e-38", "9007199254740993",
                           "9007199254740992.99999999999999999", "0.1", "123456789012345678901234567890", "  12", "1_000", "1,5", "0.000000000000000000000000000000000000000000000000001e50"};
    for (unsigned i = 0; i < sizeof reals / sizeof *reals; ++i)
        floats(reals[i]);

    scans("12 abc", "%d %s%n");
    scans("12abc", "%2d%3s%n");
    scans("x", "%d%s%n");
    scans("", "%d%s%n");
    scans("0x1f word", "%i %5s%n");
    scans("017,rest", "%i,%[a-z]%n");
    scans("ff]-x", "%x%[]-]%n");
    scans("12 %x", "%d %%%s%n");
    scans("7 ab c", "%d %c%n");
    scans("5abc123", "%d%[^0-9]%n");
    scans("  42  q", "%o %4c%n");
    short h = 0;
    signed char hh = 0;
    long long ll = 0;
    ptrdiff_t t = 0;
    size_t z = 0;
    intmax_t j = 0;
    float f = 0;
    double d = 0;
    void *p = NULL;
    wchar_t wide[8] = L"";
    char *word = NULL;
    printf("%d", sscanf("70000 300 -9000000000 -5 6 -7 1.5 2.5e3", "%hd %hhd %lld %td %zu %jd %f %lf", &h, &hh, &ll, &t, &z, &j, &f, &d));
    printf(" %d %d %lld %td %zu %jd %g %g\n", h, hh, ll, t, z, j, f, d);
    printf("%d", sscanf("0x10 wide word", "%p %ls %ms", &p, wide, &word));
    printf(" %p %ls %s\n", p, wide, word);
    free(word);
    printf("%d", sscanf("inf nan", "%lf %f", &d, &f));
    printf(" %g %d\n", d, f != f);

    printf("|%5d|%-5d|%05d|%+d|% d|%.3d|%8.3d|%-8.3d|%.0d|\n", 42, 42, 42, 42, 42, 42, 42, 42, 0);
    printf("|%x|%#x|%X|%#o|%o|%#x|%08x|%#010x|%u|\n", 255, 255, 255, 8, 8, 0, 255, 255, -1);
    printf("|%hhd|%hd|%ld|%lld|%jd|%zd|%td|%hhu|\n", 300, 70000, -5L, -5LL, (intmax_t)-5, (size_t)5, (ptrdiff_t)-5, 300);
    printf("|%f|%.0f|%#.0f|%10.3f|%-10.3f|%+.1f|%010.2f|% f|\n", 1.5, 2.5, 2.5, 3.14159, 3.14159, 3.14159, -3.14159, 1.0);
    printf("|%e|%.0e|%E|%.10e|%g|%G|%#g|%.3g|%g|%g|\n", 12345.678, 12345.678, 1e-10, 1.0 / 3, 1e6, 1e-5, 1.0, 1234567.0, 1e15, 0.0001);
    printf("|%a|%A|%.2a|%.0a|%a|%a|\n", 1.0, 0.5, 1.999, 1.5, -0.0, 0x1.fffffffffffffp1023);
    printf("|%f|%F|%e|%g|%5f|%-5F|%05f|\n", 1.0 / 0.0, -1.0 / 0.0, 0.0 / 0.0 < 0 ? 1.0 : 1e300, 1.0 / 0.0, 1.0 / 0.0, 1.0 / 0.0, 1.0 / 0.0);
    printf("|%s|%.2s|%5s|%-5s|%c|%%|%5c|%-3c|%p|\n", "text", "text", "ab", "ab", 'x', 'y', 'z', (void *)0x1234);
    int so_far = 0;
    printf("count%n", &so_far);
    printf(" %d\n", so_far);
    char small[6];
    printf("%d %s %d\n", snprintf(small, sizeof small, "%d", 12345678), small, snprintf(NULL, 0, "%s", "length"));
    printf("%.30f %.25g %.17g\n", 0.1, 1e22, 5e-324);
    printf("%.3f %.0f %.0f %.0f %.1f\n", 2.0005, 0.5, 1.5, 2.5, 0.25);
    return 0;
}
