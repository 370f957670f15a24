/* sscanf's numeric conversions, widths, lengths, suppression, results. */
#include <stdio.h>

int main(void) {
    int a, b, c, n;
    unsigned u;
    short s;
    signed char h;
    long long l;
    float f;
    double d;
    printf("%d", sscanf("12 -34 0x1f", "%d%d%i", &a, &b, &c)), printf(" %d %d %d\n", a, b, c);
    printf("%d", sscanf("777 ff 4294967295", "%o %x %u", &a, &b, &u)), printf(" %d %d %u\n", a, b, u);
    printf("%d", sscanf("123456", "%2d%3d%d", &a, &b, &c)), printf(" %d %d %d\n", a, b, c);
    printf("%d", sscanf("300 70000 8589934592", "%hhd %hd %lld", &h, &s, &l)), printf(" %d %d %lld\n", h, s, l);
    printf("%d", sscanf("1.5e2 -.25 8", "%f %lf %lf", &f, &d, &d)), printf(" %g %g\n", f, d);
    printf("%d", sscanf("5 skip 6", "%d %*s %d%n", &a, &b, &n)), printf(" %d %d %d\n", a, b, n);
    printf("%d %d %d\n", sscanf("", "%d", &a), sscanf("x", "%d", &a), sscanf("7 x", "%d %d", &a, &b));
    return 0;
}
