/* A dense switch becomes a jump table: inside, at the ends and outside of it. */
#include <stdio.h>

static __attribute__((noinline)) int f(int x) {
    switch (x) {
    case 3: return 30;
    case 4: return 41;
    case 5: x += 2; /* fall through */
    case 6: return x * 6;
    case 7: return 7;
    case 8: case 9: return 89;
    case 10: break;
    case 11: return 110;
    case 12: return 1;
    default: return -x;
    }
    return 1000;
}

int main(void) {
    for (volatile int i = -2; i < 16; i++) printf("%d ", f(i));
    printf("%d %d\n", f(-2147483647 - 1), f(2147483647));
    return 0;
}
