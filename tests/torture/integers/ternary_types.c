/* ?: converts both branches to a common type; nested, with side effects, and with omitted middle. */
#include <stdio.h>

static int calls;
static int touch(int x) { calls++; return x; }

int main(void) {
    volatile int yes = 1, no = 0;
    printf("%g %d\n", (double)(yes ? 1 : 2.5), (yes ? (signed char)-1 : 1u) == 4294967295u);
    printf("%lld\n", yes ? -1 : 1ll);
    int a = touch(7) ?: touch(8), b = touch(0) ?: touch(9);
    int c = yes ? no ? touch(1) : touch(2) : touch(3);
    printf("%d %d %d %d\n", a, b, c, calls);
    printf("%s\n", (no ? NULL : "text"));
    return sizeof(yes ? (char)1 : (char)2);
}
