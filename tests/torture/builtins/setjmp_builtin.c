/* __builtin_setjmp and __builtin_longjmp. */
#include <stdio.h>

static void *buffer[5];
static int level;

static __attribute__((noinline)) void dive(int depth) {
    level++;
    if (depth == 0) __builtin_longjmp(buffer, 1);
    dive(depth - 1);
    level = -1;
}

int main(void) {
    volatile int turns = 0;
    if (__builtin_setjmp(buffer) == 0) turns++;
    else turns += 10;
    if (turns < 30) dive(turns);
    printf("%d %d\n", turns, level);
    return 0;
}
