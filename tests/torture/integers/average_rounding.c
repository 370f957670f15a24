/* Averages rounded down, up and to zero, without overflow, of both signednesses. */
#include <stdio.h>

int main(void) {
    static volatile int v[] = {-2147483647 - 1, -3, -2, 0, 1, 4, 2147483647};
    for (int i = 0; i < 7; i++)
        for (int j = 0; j < 7; j++) {
            int a = v[i], b = v[j];
            unsigned u = a, w = b;
            printf("%d %d %lld %u ", (a & b) + ((a ^ b) >> 1), (a | b) - ((a ^ b) >> 1), ((long long)a + b) / 2, (u & w) + ((u ^ w) >> 1));
        }
    puts("");
    return 0;
}
