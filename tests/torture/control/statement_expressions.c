/* Statement expressions: values, side effects once, nested, in conditions and initialisers. */
#include <stdio.h>

#define MAX(a, b) ({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); a_ > b_ ? a_ : b_; })

int main(void) {
    int i = 3, j = 5;
    int m = MAX(i++, j--);
    int n = MAX(MAX(i, 2), MAX(({ int k = j; while (k & (k - 1)) k &= k - 1; k; }), i + 1));
    if (({ i += 10; i > 12; })) m += 100;
    for (int k = 0; ({ int limit = k * k; limit < 20; }); k++) n += k;
    printf("%d %d %d %d\n", m, n, i, j);
    return ({ struct { int a, b; } s = {m, n}; s; }).b;
}
