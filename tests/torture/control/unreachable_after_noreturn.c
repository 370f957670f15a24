/* Code after calls that do not return: compilers leave nothing there, not even a return. */
#include <stdio.h>
#include <stdlib.h>

static _Noreturn __attribute__((noinline)) void leave(int status) {
    printf("leaving with %d\n", status);
    exit(status);
}
static __attribute__((noinline)) int choose(int x) {
    if (x > 3) leave(x);
    if (x < 0) __builtin_unreachable();
    return x;
}

int main(void) {
    volatile int i = 0;
    for (;;) printf("%d\n", choose(i)), i++;
}
