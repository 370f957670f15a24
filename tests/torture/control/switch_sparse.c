/* A sparse switch becomes a tree of comparisons; cases at the limits of int. */
#include <stdio.h>

static __attribute__((noinline)) int f(int x) {
    switch (x) {
    case -2147483647 - 1: return 1;
    case -1000000: return 2;
    case -1: return 3;
    case 0: return 4;
    case 77: return 5;
    case 65536: return 6;
    case 1 << 30: return 7;
    case 2147483647: return 8;
    }
    return 0;
}

int main(void) {
    static volatile int v[] = {-2147483647 - 1, -2147483647, -1000000, -1, 0, 1, 77, 65535, 65536, 1 << 30, 2147483646, 2147483647};
    for (int i = 0; i < 12; i++) printf("%d ", f(v[i]));
    puts("");
    return 0;
}
