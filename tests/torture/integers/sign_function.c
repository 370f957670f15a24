/* Branch-free idioms: sign, absolute value, minimum, select, average, overflow tests. */
#include <stdio.h>

static int sign(int x) { return (x > 0) - (x < 0); }
static int magnitude(int x) { int m = x >> 31; return (x ^ m) - m; }
static int least(int a, int b) { return b ^ ((a ^ b) & -(a < b)); }
static int average(int a, int b) { return (a & b) + ((a ^ b) >> 1); }
static int overflows(int a, int b) { unsigned s = (unsigned)a + (unsigned)b; return (int)((s ^ a) & (s ^ b)) < 0; }

int main(void) {
    static volatile int v[] = {-2147483647 - 1, -2147483647, -5, -1, 0, 1, 6, 2147483647};
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++)
            printf("%d %d %d %d %d\n", sign(v[i]), i ? magnitude(v[i]) : 0, least(v[i], v[j]), average(v[i], v[j]), overflows(v[i], v[j]));
    return 0;
}
