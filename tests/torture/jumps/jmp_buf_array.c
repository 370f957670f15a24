/* Several jump buffers at once: coroutine-like returns to any level of a recursion. */
#include <setjmp.h>
#include <stdio.h>

static jmp_buf level[8];
static int path;
static int dive(int depth, int target) {
    int v = setjmp(level[depth]);
    path = path * 10 + depth + 1;
    if (v) return depth * 100 + v;
    if (depth == 7) longjmp(level[target], 42);
    int r = dive(depth + 1, target);
    return r + 1;
}

int main(void) {
    for (int t = 6; t >= 0; t -= 2) {
        path = 0;
        int r = dive(0, t);
        printf("%d %d\n", r, path % 1000);
    }
    return 0;
}
