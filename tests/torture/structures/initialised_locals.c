/* Local aggregates with initialisers: copied afresh at each entry, partly zero, from expressions. */
#include <stdio.h>

static int f(int n) {
    int a[5] = {n, n * 2}, b[2][3] = {{1}, {n, [2] = 4}};
    struct { char name[8]; short s[3]; double d; } r = {"abc", {[1] = n}, n / 2.0};
    a[4] += a[0]++, b[0][2] += a[1], r.s[2]--, r.name[3] = 'd';
    return a[0] + a[4] * 3 + b[0][2] * 5 + b[1][2] + r.s[1] * 7 + r.s[2] + r.name[4] + (int)(r.d * 2);
}

int main(void) {
    for (int i = 0; i < 6; i++) printf("%d ", f(i * i));
    puts("");
    return 0;
}
