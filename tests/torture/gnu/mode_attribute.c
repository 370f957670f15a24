/* Types by machine mode. */
#include <stdio.h>

typedef int byte __attribute__((mode(QI)));
typedef int half __attribute__((mode(HI)));
typedef unsigned word __attribute__((mode(SI)));
typedef int wide __attribute__((mode(DI)));
typedef float real __attribute__((mode(DF)));
typedef unsigned pointer __attribute__((mode(pointer)));

int main(void) {
    byte b = 200;
    half h = 40000;
    word w = -1;
    wide d = (wide)w * w;
    real r = 0.1;
    printf("%d %d %u %lld %.17g %zu\n", b, h, w, (long long)d, (double)r, sizeof(pointer));
    return 0;
}
