/* Multiplication by constants becomes shifts and additions. */
#include <stdio.h>

#define M(n) printf("%d %u %lld\n", x * (n), (unsigned)x * (unsigned)(n), (long long)x * (n))

int main(void) {
    static volatile int values[] = {0, 1, -1, 37, -32768, 11111, -77777};
    for (int i = 0; i < 7; i++) {
        int x = values[i];
        M(0); M(1); M(-1); M(3); M(5); M(7); M(10); M(15); M(17); M(100); M(255); M(257); M(1000); M(-10); M(4095);
    }
    return 0;
}
