/* Pre- and post-increment as operands, in indices and on pointers to volatile. */
#include <stdio.h>

int main(void) {
    int a[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    int i = 0;
    int *p = a;
    int x = a[i++] + 10;
    int y = a[++i] + 10;
    int z = *p++ * 100 + *++p;
    int w = (*p)++ + i--;
    int v = -i-- - -1;
    printf("%d %d %d %d %d | %d %d %td\n", x, y, z, w, v, i, a[2], p - a);
    volatile unsigned char c = 255;
    int before = c++;
    int after = --c;
    printf("%d %d\n", before, after);
    return i + 5;
}
