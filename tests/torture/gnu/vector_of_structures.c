/* Vector types inside unions and arrays, read by element. */
#include <stdio.h>

typedef unsigned u4 __attribute__((vector_size(16)));
union lanes { u4 v; unsigned u[4]; unsigned char b[16]; };

int main(void) {
    union lanes a = {.u = {1, 0x80000000, 3, 0xffffffff}}, b = {.v = {5, 6, 7, 8}};
    for (int i = 0; i < 10; i++) {
        a.v = (a.v << 5 | a.v >> 27) ^ b.v;
        b.v += a.v * 2654435761u;
    }
    unsigned sum = 0;
    for (int i = 0; i < 16; i++) sum = sum * 31 + a.b[i] + b.b[15 - i];
    printf("%u %08x\n", sum, a.u[3]);
    return 0;
}
