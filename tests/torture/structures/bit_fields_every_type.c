/* Bit fields of char, short, int, long long, _Bool and enumerations. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum colour { RED, GREEN, BLUE = 3 };
struct mixed {
    unsigned char a : 3;
    signed char b : 4;
    unsigned short c : 9;
    short d : 5;
    bool e : 1;
    enum colour f : 2;
    unsigned long long g : 40;
    long long h : 37;
};

int main(void) {
    struct mixed m;
    memset(&m, 0xff, sizeof m);
    printf("%d %d %d %d %d %d %llx %lld %zu\n", m.a, m.b, m.c, m.d, m.e, m.f, (unsigned long long)m.g, (long long)m.h, sizeof m);
    m.a = 5, m.b = -8, m.c = 0x155, m.d = -16, m.e = 2, m.f = BLUE, m.g = 0x8765432109ull, m.h = -68719476736ll;
    printf("%d %d %d %d %d %d %llx %lld\n", m.a, m.b, m.c, m.d, m.e, m.f, (unsigned long long)m.g, (long long)m.h);
    unsigned char bytes[sizeof m];
    memcpy(bytes, &m, sizeof m);
    for (unsigned i = 0; i < sizeof m; i++) printf("%02x", bytes[i]);
    puts("");
    return 0;
}
