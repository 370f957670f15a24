/* Lower and upper bounds, the last true of a predicate, by branches and without. */
#include <stdio.h>

static int lower(const int *v, int n, int x) { int l = 0, h = n; while (l < h) { int m = l + (h - l) / 2; if (v[m] < x) l = m + 1; else h = m; } return l; }
static int branchless(const int *v, int n, int x) {
    const int *p = v;
    for (; n > 1; n -= n / 2) p += (p[n / 2 - 1] < x) * (n / 2);
    return p - v + (n == 1 && *p < x);
}

int main(void) {
    int v[50], bad = 0;
    for (int i = 0; i < 50; i++) v[i] = i * i / 7;
    for (int n = 1; n <= 50; n++) for (int x = -1; x < 360; x += 3) bad += lower(v, n, x) != branchless(v, n, x);
    printf("%d %d %d\n", bad, lower(v, 50, 100), lower(v, 50, 0));
    return 0;
}
