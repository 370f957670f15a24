/* Signed bit fields of every width sign-extend; stores do not touch their neighbours. */
#include <stdio.h>
#include <string.h>

struct fields { signed a : 1, b : 2, c : 3, d : 7, e : 8, f : 11; };

int main(void) {
    struct fields s;
    memset(&s, 0, sizeof s);
    for (volatile int v = -9; v < 9; v += 2) {
        s.a = v, s.b = v, s.c = v, s.d = v * 9, s.e = v * 17, s.f = v * 130;
        printf("%d %d %d %d %d %d\n", s.a, s.b, s.c, s.d, s.e, s.f);
    }
    s.d = -64;
    unsigned raw;
    memcpy(&raw, &s, 4);
    printf("%08x\n", raw);
    return s.b & 255;
}
