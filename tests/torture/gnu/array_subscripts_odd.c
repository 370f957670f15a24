/* Subscripts the other way round, negative ones, of strings and literals, of arrays in structures that are results. */
#include <stdio.h>

struct holder { int a[4]; };
static struct holder make(int n) { return (struct holder){{n, n + 1, n + 2, n + 3}}; }

int main(void) {
    int v[6] = {1, 2, 3, 4, 5, 6}, *middle = v + 3;
    volatile int i = 2;
    printf("%d %d %d %c %c %d\n", i[v], middle[-i], (-1)[middle], "hexadecimal"[i], i["octal"], (int[]){7, 8, 9}[i]);
    printf("%d %d\n", make(10).a[i], (&v[5])[-3]);
    return &v[5] - &v[1];
}
