/* A switch on 64 bits: cases that differ in the high word only. */
#include <stdio.h>

static __attribute__((noinline)) int f(long long x) {
    switch (x) {
    case 1: return 1;
    case 0x100000001ll: return 2;
    case -0xffffffffll: return 3;
    case 0x7fffffffffffffffll: return 4;
    case -1: return 5;
    case 0xffffffffll: return 6;
    default: return 0;
    }
}

int main(void) {
    static volatile long long v[] = {1, 0x100000001ll, -0xffffffffll, 0x7fffffffffffffffll, -1, 0xffffffffll, 0x200000001ll, 0};
    for (int i = 0; i < 8; i++) printf("%d ", f(v[i]));
    puts("");
    return 0;
}
