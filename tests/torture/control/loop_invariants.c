/* Loops that a compiler moves code out of, unrolls, reverses and interchanges. */
#include <stdio.h>

int main(void) {
    static int a[40][40], v[40];
    int limit = 40, *p = v;
    for (int i = 0; i < limit; i++) for (int j = 0; j < limit; j++) a[j][i] = i * limit + j - (i > j ? p[j] : 0), v[i & 3]++;
    long sum = 0;
    for (int i = limit; i-- > 0;) for (int j = i; j < limit; j += i / 3 + 1) sum += a[i][j] ^ a[j][i];
    for (int k = 0; k < 7; k++) for (int i = 1; i < limit - 1; i++) v[i] = (v[i - 1] + 2 * v[i] + v[i + 1]) >> 2;
    for (int i = 0; i < 8; i++) sum = sum * 5 + v[i];
    printf("%ld\n", sum);
    return 0;
}
