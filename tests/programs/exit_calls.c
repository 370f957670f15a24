/* exit(3) deep inside: handlers of atexit run backwards, buffers are flushed, the status arrives. */
#include <stdio.h>
#include <stdlib.h>

static void first(void) { printf("registered first, runs last\n"); }
static void second(void) { printf("registered second\n"); }
static void third(void) { printf("registered third, runs first, registers another\n"); atexit(second); }

static int deep(int n) {
    if (n == 0) {
        printf("no newline, still flushed");
        exit(3);
    }
    return deep(n - 1) + 1;
}

int main(void) {
    atexit(first);
    atexit(second);
    atexit(third);
    printf("%d\n", deep(5));
    return 1;
}
