/* A function so long that branches across it need more than their 16 bits. */
#include <stdio.h>

#define X1 x = x * 1103515245u + 12345u; a[x >> 28] ^= x;
#define X10 X1 X1 X1 X1 X1 X1 X1 X1 X1 X1
#define X100 X10 X10 X10 X10 X10 X10 X10 X10 X10 X10
#define X1000 X100 X100 X100 X100 X100 X100 X100 X100 X100 X100

int main(void) {
    static volatile unsigned a[16];
    unsigned x = 1;
    for (int i = 0; i < 3; i++) {
        if (i == 1) continue;
        X1000
        if (x & 1) {
            X1000
        }
    }
    unsigned sum = x;
    for (int i = 0; i < 16; i++) sum = sum * 31 + a[i];
    printf("%u\n", sum);
    return 0;
}
