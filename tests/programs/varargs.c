/* Variable arguments: int, long long, double, pointers and structures, copied lists, lists passed on, a small printf of our own. */
#include <stdarg.h>
#include <stdio.h>

#include "testing.h"

static long long sum(int count, ...) {
    va_list list;
    va_start(list, count);
    long long total = 0;
    for (int i = 0; i < count; i++) total += va_arg(list, int);
    va_end(list);
    return total;
}

/* i int, l long long, d double, s string, c char: doubles and long longs need aligned slots. */
static void show(const char *kinds, ...) {
    va_list list;
    va_start(list, kinds);
    for (; *kinds; kinds++) {
        switch (*kinds) {
        case 'i': printf("%d ", va_arg(list, int)); break;
        case 'l': printf("%lld ", va_arg(list, long long)); break;
        case 'd': printf("%g ", va_arg(list, double)); break;
        case 's': printf("%s ", va_arg(list, const char *)); break;
        case 'c': printf("%c ", va_arg(list, int)); break;
        }
    }
    va_end(list);
    printf("\n");
}

typedef struct { int a; double b; } Item;

static double items(int count, ...) {
    va_list list;
    va_start(list, count);
    double total = 0;
    while (count--) {
        Item item = va_arg(list, Item);
        total += item.a * item.b;
    }
    va_end(list);
    return total;
}

/* Walks the same list twice. */
static int twice(int count, ...) {
    va_list list, again;
    va_start(list, count);
    va_copy(again, list);
    int total = 0, product = 1;
    for (int i = 0; i < count; i++) total += va_arg(list, int);
    for (int i = 0; i < count; i++) product *= va_arg(again, int);
    va_end(again);
    va_end(list);
    return total * 1000 + product;
}

static int take_int(va_list *list) { return va_arg(*list, int); }
static int through_pointer(int count, ...) {
    va_list list;
    va_start(list, count);
    int total = 0;
    while (count--) total = total * 10 + take_int(&list);
    va_end(list);
    return total;
}

/* Named arguments of several sizes shift where the variable ones begin. */
static double after_named(char a, double b, short c, long long d, int count, ...) {
    va_list list;
    va_start(list, count);
    double total = a + b + c + (double)d;
    while (count--) total += va_arg(list, double);
    va_end(list);
    return total;
}

static void put(char **out, const char *text) { while (*text) *(*out)++ = *text++; }
static void put_number(char **out, unsigned long long value, unsigned base) {
    char digits[24], *p = digits + sizeof digits;
    *--p = 0;
    do *--p = "0123456789abcdef"[value % base]; while (value /= base);
    put(out, p);
}
static void format_list(char *out, const char *format, va_list list) {
    for (; *format; format++) {
        if (*format != '%') { *out++ = *format; continue; }
        switch (*++format) {
        case 'd': { int v = va_arg(list, int); if (v < 0) *out++ = '-'; put_number(&out, v < 0 ? 0u - (unsigned)v : (unsigned)v, 10); break; }
        case 'x': put_number(&out, va_arg(list, unsigned), 16); break;
        case 'D': { long long v = va_arg(list, long long); if (v < 0) *out++ = '-'; put_number(&out, v < 0 ? 0ull - (unsigned long long)v : (unsigned long long)v, 10); break; }
        case 'b': put_number(&out, va_arg(list, unsigned), 2); break;
        case 'f': { double v = va_arg(list, double); put_number(&out, (unsigned long long)v, 10); *out++ = '.'; put_number(&out, (unsigned long long)(v * 1000) % 1000, 10); break; }
        case 's': put(&out, va_arg(list, const char *)); break;
        case 'c': *out++ = (char)va_arg(list, int); break;
        case '%': *out++ = '%'; break;
        }
    }
    *out = 0;
}
static void format(char *out, const char *text, ...) {
    va_list list;
    va_start(list, text);
    format_list(out, text, list);
    va_end(list);
}
static int report(const char *text, ...) {
    va_list list;
    va_start(list, text);
    int n = vprintf(text, list);
    va_end(list);
    return n;
}

int main(void) {
    printf("%lld %lld %lld\n", sum(0), sum(3, 1, 2, 3), sum(10, 1, -2, 3, -4, 5, -6, 7, -8, 9, 2147483647));
    show("i", 42);
    show("lili", 1LL << 40, 5, -(1LL << 33), 6);
    show("didi", 1.5, 1, 2.5, 2);
    show("iiidll", 1, 2, 3, 3.25, -1LL, 9000000000LL);
    show("cscslsds", 'a', "one", 'b', "two", 3LL, "three", 4.0, "four");
    printf("%g\n", items(3, (Item){2, 1.5}, (Item){-1, 0.25}, (Item){10, 10.0}));
    printf("%d %d\n", twice(4, 1, 2, 3, 4), through_pointer(5, 5, 4, 3, 2, 1));
    printf("%g\n", after_named('a', 0.5, -3, 1LL << 34, 3, 1.0, 2.0, 3.0));
    char text[200];
    format(text, "%d %x %D %b %f %s%c %%", -123, 0xbeefu, -12345678901234LL, 10u, 3.625, "wor", 'd');
    printf("%s\n", text);
    int n = report("%s %d %lld %.3f\n", "vprintf", 7, 1LL << 50, 2.5);
    printf("%d characters\n", n);
    return 0;
}
