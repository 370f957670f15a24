/* Right shifts of negative numbers of every width keep the sign. */
#include <stdio.h>

int main(void) {
    volatile signed char c = -128;
    volatile short s = -32768;
    volatile int i = -2147483647 - 1;
    volatile long long l = -9223372036854775807ll - 1;
    for (int n = 0; n < 8; n++) printf("%d ", c >> n);
    for (int n = 0; n < 16; n += 3) printf("%d ", s >> n);
    for (int n = 0; n < 32; n += 5) printf("%d ", i >> n);
    for (int n = 0; n < 64; n += 7) printf("%lld ", l >> n);
    puts("");
    return 0;
}
