/* GNU's empty structures have size 0: alone, as members, in arrays, as arguments. */
#include <stdio.h>

struct empty {};
struct holder { int a; struct empty e; int b; };

static __attribute__((noinline)) int use(int x, struct empty e, int y) { return x * 10 + y; }

int main(void) {
    struct empty e, many[5];
    struct holder h = {1, {}, 2};
    printf("%zu %zu %zu %d %d\n", sizeof e, sizeof many, sizeof h, use(3, e, 4), h.b);
    return 0;
}
