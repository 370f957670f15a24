/* The C locale: localeconv, setlocale. */
#include <limits.h>
#include <locale.h>
#include <stdio.h>

int main(void) {
    struct lconv *l = localeconv();
    printf("%s %d %s %d\n", l->decimal_point, l->thousands_sep[0], l->currency_symbol, l->frac_digits == CHAR_MAX);
    printf("%s %s\n", setlocale(LC_ALL, NULL), setlocale(LC_NUMERIC, "C"));
    return 0;
}
