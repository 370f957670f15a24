/* setjmp and longjmp: the value, 0 becoming 1, volatile locals kept, from depth. */
#include <setjmp.h>
#include <stdio.h>

static jmp_buf buffer;
static __attribute__((noinline)) void dive(int depth, int value) {
    char frame[100];
    frame[depth] = depth;
    if (depth == 0) longjmp(buffer, value);
    dive(depth - 1, value + frame[depth] - depth);
}

int main(void) {
    volatile int turns = 0;
    int value = setjmp(buffer);
    printf("%d %d\n", value, turns);
    turns++;
    if (turns == 1) dive(10, 7);
    if (turns == 2) dive(50, 0);
    if (turns == 3) longjmp(buffer, -9);
    return turns;
}
