/* Arguments with side effects on separate objects, calls in arguments, assignment as argument. */
#include <stdio.h>

static int depth, deepest;
static int f(int a, int b, int c, int d, int e) {
    if (++depth > deepest) deepest = depth;
    int r = a - b * c + (d ^ e);
    depth--;
    return r;
}

int main(void) {
    int i = 1, j = 2, k, l[3] = {5, 6, 7};
    int r = f(i++, f(j--, k = 9, l[1]++, f(1, 2, 3, 4, 5), l[0] += 2), f(k, k, k, k, k + 0 * l[2]--), (i, j), f(0, 0, 0, 1, f(1, 1, 1, 1, 1)));
    printf("%d %d %d %d %d %d %d %d\n", r, i, j, k, l[0], l[1], l[2], deepest);
    return 0;
}
