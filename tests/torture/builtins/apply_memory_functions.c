/* memcpy, memmove, memset and memcmp of small constant sizes, each inlined in its own way. */
#include <stdio.h>
#include <string.h>

#define TRY(n)                                                     \
    {                                                              \
        memcpy(b + 3, a + 1, n), memmove(b + 5, b + 3, n);         \
        memset(b + 40, n * 7, n), c += memcmp(a, b + 1, n) < 0;    \
        for (int i = 0; i < 64; i++) sum = sum * 31 + b[i];        \
    }

int main(void) {
    unsigned char a[64], b[96];
    unsigned sum = 0;
    int c = 0;
    for (int i = 0; i < 64; i++) a[i] = i * 11, b[i] = ~i;
    memset(b + 64, 0, 32);
    TRY(0) TRY(1) TRY(2) TRY(3) TRY(4) TRY(5) TRY(6) TRY(7) TRY(8) TRY(9) TRY(12) TRY(15) TRY(16) TRY(17) TRY(24) TRY(31) TRY(32)
    printf("%u %d\n", sum, c);
    return 0;
}
