/* va_copy, lists passed on, and a list used twice. */
#include <stdarg.h>
#include <stdio.h>

static int total(int n, va_list list) {
    int sum = 0;
    while (n-- > 0) sum += va_arg(list, int);
    return sum;
}
static int twice(int n, ...) {
    va_list list, again;
    va_start(list, n);
    va_copy(again, list);
    int a = total(n, list), b = total(n - 1, again);
    int c = va_arg(again, int);
    va_end(again);
    va_end(list);
    return a * 1000 + b * 10 + c;
}
static char text[64];
static int format(const char *f, ...) {
    va_list list;
    va_start(list, f);
    int n = vsnprintf(text, sizeof text, f, list);
    va_end(list);
    return n;
}

int main(void) {
    printf("%d %d\n", twice(4, 1, 2, 3, 4), twice(6, 9, 8, 7, 6, 5, 4));
    printf("%d %s\n", format("%s-%05.1f-%lld", "ab", 3.14159, -1ll), text);
    return 0;
}
