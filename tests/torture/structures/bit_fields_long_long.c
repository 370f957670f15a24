/* Bit fields wider than a word, across the word border: arithmetic, shifts and comparisons with them. */
#include <stdio.h>

struct wide { unsigned long long a : 33, b : 20, c : 11; long long d : 48; };

int main(void) {
    struct wide w = {0x1ffffffffull, 0xabcde, 0x7ff, -1};
    printf("%llx %llx %llx %lld\n", (unsigned long long)w.a, (unsigned long long)w.b, (unsigned long long)w.c, (long long)w.d);
    w.a += 2;
    w.b <<= 4;
    w.c = w.a + w.b;
    w.d <<= 46;
    printf("%llx %llx %llx %lld\n", (unsigned long long)w.a, (unsigned long long)w.b, (unsigned long long)w.c, (long long)w.d);
    w.d = 0x7fffffffffffll;
    w.d++;
    printf("%lld %d\n", (long long)w.d, w.d < 0);
    return sizeof w;
}
