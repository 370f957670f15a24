/* %n in its widths, and printf's result. */
#include <stdio.h>

int main(void) {
    int a, b;
    short s;
    signed char c;
    long long l;
    int total = printf("abc%n%5d%hn%s%hhn%lln\n%n", &a, 42, &s, "xyz", &c, &l, &b);
    printf("%d %d %d %lld %d %d\n", a, s, c, l, b, total);
    return total;
}
