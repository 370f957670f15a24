/* Volatile objects of every width: every access is made, and in order. */
#include <stdio.h>

static volatile signed char c = -5;
static volatile unsigned short s = 65000;
static volatile long long l = 1;
static volatile double d = 0.5;

int main(void) {
    for (int i = 0; i < 20; i++) {
        c = c * 3 + 1;
        s += (unsigned char)c;
        l = l * s - c;
        d = d * 1.5 - (l & 3);
    }
    int twice = c + c, same = s == s;
    c, s, l;
    printf("%d %d %lld %a %d %d\n", c, s, l, d, twice, same);
    return 0;
}
