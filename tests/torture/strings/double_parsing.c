/* strtod: decimal, hexadecimal, infinities, what is left, range errors, hard roundings. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

static const char *bits(double d) {     /* not %a: libraries may write denormal numbers in several ways */
    static char text[8][20];
    static int next;
    union { double d; unsigned long long u; } u = {d};
    sprintf(text[++next & 7], "%016llx", u.u);
    return text[next & 7];
}

int main(void) {
    static const char *v[] = {"1.5", "-.5e1", "1e", "0x1.8p4", "0x.8", "inf", "-INFINITY", "1e400", "1e-400", "4.9e-324", "2.4703282292062328e-324",
                              "2.2250738585072011e-308", "9007199254740993", "1.00000000000000011102230246251565404236316680908203125",
                              "1.7976931348623157e308", "1.7976931348623159e308", "0.1", "123456789012345678901234567890", ".", "e5", "  +7.25rest"};
    for (int i = 0; i < 21; i++) {
        char *end;
        errno = 0;
        double d = strtod(v[i], &end);
        printf("%s %td %d %s\n", bits(d), end - v[i], errno == ERANGE && (d == 0 || d > 1), bits(strtof(v[i], NULL)));
    }
    return 0;
}
