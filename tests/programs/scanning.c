/* sscanf, strtol, strtoul, strtoll, strtod, atoi, atof: values, what is left over, bases, limits, failures. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void integer(const char *text, int base) {
    char *end;
    errno = 0;
    long long wide = strtoll(text, &end, base);
    int wide_error = errno;
    unsigned long long natural = strtoull(text, NULL, base);
    printf("strtoll(\"%s\", %d) = %lld, rest \"%s\", %s; strtoull %llu\n", text, base, wide, end, wide_error == ERANGE ? "range" : "ok", natural);
}

static void real(const char *text) {
    char *end;
    errno = 0;
    double value = strtod(text, &end);
    printf("strtod(\"%s\") = %.17g, rest \"%s\"\n", text, value, end);
}

int main(void) {
    integer("123abc", 10);
    integer("  -42", 10);
    integer("0x1fG", 16);
    integer("0x1f", 0);
    integer("0755", 0);
    integer("+99", 0);
    integer("zz", 36);
    integer("10201", 3);
    integer("", 10);
    integer("none", 10);
    integer("9223372036854775807", 10);
    integer("9223372036854775808", 10);
    integer("-9223372036854775809", 10);
    real("3.25");
    real("  -1e10x");
    real("1e400");
    real("4.9e-324");
    real("0.1");
    real("123456789012345678901234567890");
    real(".5.5");
    real("0x1.8p3");
    real("inf");
    real("abc");
    real("2.2250738585072011e-308");
    real("179769313486231570000e289");
    printf("%d %d %ld %g %g\n", atoi("  77 "), atoi("-5x"), atol("123456789"), atof("2.5e3"), strtof("0.1", NULL));

    int a, b, n;
    unsigned u, x;
    long long wide;
    short small;
    char word[20], letters[10], c;
    double d;
    float f;
    n = sscanf("12 -34 56 0xff", "%d %i %u %x", &a, &b, &u, &x);
    printf("%d: %d %d %u %x\n", n, a, b, u, x);
    n = sscanf("hello 3.5 world 2.25e2", "%s %lf %*s %f", word, &d, &f);
    printf("%d: %s %g %g\n", n, word, d, f);
    n = sscanf("k=v;rest", "%[a-z]=%c;%3s", letters, &c, word);
    printf("%d: %s %c %s\n", n, letters, c, word);
    n = sscanf("12345678901234 -7", "%lld %hd", &wide, &small);
    printf("%d: %lld %d\n", n, wide, small);
    n = sscanf("20261121", "%4d%2d%2d", &a, &b, (int *)&u);
    printf("%d: %d %d %u\n", n, a, b, u);
    n = sscanf("x 5", "%d", &a);
    printf("%d\n", n);
    n = sscanf("", "%d", &a);
    printf("%d\n", n);
    n = sscanf("7 apples", "%d pears%n", &a, &b);
    printf("%d: %d\n", n, a);
    n = sscanf("one two", "%*s%n %s", &a, word);
    printf("%d: %d %s\n", n, a, word);
    n = sscanf("abc123", "%[^0-9]%d", word, &a);
    printf("%d: %s %d\n", n, word, a);
    uint64_t big;
    n = sscanf("18446744073709551615", "%" SCNu64, &big);
    printf("%d: %" PRIu64 "\n", n, big);
    return 0;
}
