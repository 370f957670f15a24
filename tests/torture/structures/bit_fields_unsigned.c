/* Unsigned bit fields wrap, promote to int, and count as values below 2^width. */
#include <stdio.h>

struct fields { unsigned a : 1, b : 5, c : 31, d : 32; };

int main(void) {
    volatile struct fields s = {0, 0, 0, 0};
    s.a--, s.b -= 3, s.c--, s.d--;
    printf("%u %u %u %u\n", s.a, s.b, s.c, s.d);
    printf("%d %d %d %d\n", s.a - 2 < 0, s.b - 40 < 0, s.c < -1, s.d - 1 > 0);
    s.b++, s.b++, s.b++;
    s.c += 2;
    s.a ^= 1;
    printf("%u %u %u %zu\n", s.a, s.b, s.c, sizeof s);
    return s.a;
}
