/* Sizes of types that are easily got wrong. */
#include <complex.h>
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <time.h>

int main(void) {
    printf("%zu %zu %zu %zu\n", sizeof(long double), sizeof(double complex), sizeof(max_align_t), sizeof(wchar_t));
    printf("%zu %zu %zu %zu\n", sizeof(va_list), sizeof(float complex), sizeof("abc"), sizeof(char[7][3]));
    printf("%zu %zu %zu\n", sizeof(int (*)(void)), sizeof(struct { char a; long long b; char c; }), sizeof(struct { char a[5]; short b; }));
    return _Alignof(max_align_t);
}
