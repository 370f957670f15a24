/* Packed bit fields cross bytes and words. */
#include <stdio.h>
#include <string.h>

struct __attribute__((packed)) crossing {
    unsigned a : 7;
    unsigned b : 13;
    int c : 17;
    unsigned long long d : 51;
    unsigned char e;
    unsigned f : 30;
    short g;
};

int main(void) {
    struct crossing s;
    memset(&s, 0, sizeof s);
    s.a = 0x55, s.b = 0x1234, s.c = -54321, s.d = 0x5a5a5a5a5a5a5ull, s.e = 200, s.f = 0x2bcdef01, s.g = -2;
    printf("%x %x %d %llx %d %x %d %zu\n", s.a, s.b, s.c, (unsigned long long)s.d, s.e, s.f, s.g, sizeof s);
    unsigned char bytes[sizeof s];
    memcpy(bytes, &s, sizeof s);
    for (unsigned i = 0; i < sizeof s; i++) printf("%02x ", bytes[i]);
    s.c++, s.d--, s.f *= 3, s.b ^= s.a;
    printf("\n%x %d %llx %x\n", s.b, s.c, (unsigned long long)s.d, s.f);
    return 0;
}
