/* Variable arguments of every type, with the padding that 64-bit ones need. */
#include <stdarg.h>
#include <stdio.h>

static void show(const char *types, ...) {
    va_list list;
    va_start(list, types);
    for (; *types; types++) switch (*types) {
        case 'c': printf("%c ", va_arg(list, int)); break;
        case 'h': printf("%d ", (short)va_arg(list, int)); break;
        case 'i': printf("%d ", va_arg(list, int)); break;
        case 'l': printf("%lld ", va_arg(list, long long)); break;
        case 'd': printf("%g ", va_arg(list, double)); break;
        case 'L': printf("%Lg ", va_arg(list, long double)); break;
        case 's': printf("%s ", va_arg(list, char *)); break;
        case 'p': printf("%d ", *va_arg(list, int *)); break;
        }
    va_end(list);
    puts("");
}

int main(void) {
    int x = 77;
    show("ilidl", 1, -2ll, 3, 4.5, 5ll);
    show("dci", 1.25, 'x', -1);
    show("lihLsp", 1ll << 50, 9, (short)-3, 2.5l, "text", &x);
    show("iiiiidddd", 1, 2, 3, 4, 5, 0.5, 0.25f, -0.125, 1e100);
    show("");
    return 0;
}
