/* __attribute__((cleanup)): runs at every way out of a block, last variable first. */
#include <stdio.h>

static int order[16], used;
static void note(int *v) { order[used++] = *v; }
#define SCOPED __attribute__((cleanup(note))) int

static int f(int way) {
    SCOPED a = 1;
    for (int i = 0; i < 2; i++) {
        SCOPED b = 10 + i;
        if (way == 1) break;
        if (way == 2) return a + b;
        if (way == 3) goto out;
        SCOPED c = 100;
        (void)c;
    }
    a = 2;
out:
    return 0;
}

int main(void) {
    for (int way = 0; way < 4; way++) {
        used = 0;
        int r = f(way);
        printf("%d:", r);
        for (int i = 0; i < used; i++) printf(" %d", order[i]);
        puts("");
    }
    return 0;
}
