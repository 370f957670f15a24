/* Any object may be read and written as characters, and compilers must see it. */
#include <stdio.h>

static __attribute__((noinline)) int patch(int *target, unsigned char *bytes) {
    *target = 0x11223344;
    bytes[1] = 0xff;
    bytes[3] = 0;
    return *target;
}

int main(void) {
    int x = 0;
    short s[2] = {0, 0};
    printf("%08x\n", patch(&x, (unsigned char *)&x));
    unsigned char *p = (unsigned char *)s;
    for (int i = 0; i < 4; i++) p[i] = i + 0x80;
    printf("%d %d\n", s[0], s[1]);
    double d = 1;
    ((unsigned char *)&d)[7] |= 0x80;
    ((unsigned char *)&d)[6] ^= 0x10;
    printf("%g\n", d);
    return 0;
}
