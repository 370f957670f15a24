/* exit from deep inside recursion and from a callback. */
#include <stdio.h>
#include <stdlib.h>

static int compare(const void *a, const void *b) {
    if (*(const int *)a == 3 || *(const int *)b == 3) exit(33);
    return *(const int *)a - *(const int *)b;
}
static int dive(int n) {
    int v[3] = {n, 3, 1};
    if (n == 0) qsort(v, 3, sizeof *v, compare);
    return dive(n - 1) + v[0];
}

int main(void) {
    puts("diving");
    return dive(20);
}
