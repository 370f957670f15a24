/* Shift counts from bytes and expressions that a compiler may mask away. */
#include <stdio.h>

int main(void) {
    unsigned sum = 0;
    for (volatile unsigned char n = 0; n < 200; n += 9) {
        unsigned x = 0x80000001u;
        sum = sum * 31 + (x << (n & 31)) + (x >> (n & 31)) + (unsigned)((int)x >> (n & 31)) + (1u << (31 - (n & 31)));
    }
    printf("%u\n", sum);
    return sum & 127;
}
