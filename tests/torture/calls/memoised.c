/* Recursion with a memory: Catalan numbers, partitions, the longest common subsequence. */
#include <stdio.h>
#include <string.h>

static long long catalan(int n) {
    static long long known[34];
    if (n == 0) return 1;
    if (known[n]) return known[n];
    long long s = 0;
    for (int i = 0; i < n; i++) s += catalan(i) * catalan(n - 1 - i);
    return known[n] = s;
}
static int partitions(int n, int most) { return n == 0 ? 1 : n < 0 || most == 0 ? 0 : partitions(n - most, most) + partitions(n, most - 1); }
static const char *a = "interpretation", *b = "translation";
static signed char table[16][16];
static int common(int i, int j) {
    if (!a[i] || !b[j]) return 0;
    if (table[i][j] >= 0) return table[i][j];
    int x = common(i + 1, j), y = common(i, j + 1);
    return table[i][j] = a[i] == b[j] ? 1 + common(i + 1, j + 1) : x > y ? x : y;
}

int main(void) {
    memset(table, -1, sizeof table);
    printf("%lld %d %d\n", catalan(30), partitions(24, 24), common(0, 0));
    return 0;
}
