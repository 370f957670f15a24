/* exit: atexit's functions in reverse order, one registering another, buffered output written at the end. */
#include <stdio.h>
#include <stdlib.h>

static void first(void) { puts("first registered"); }
static void late(void) { puts("registered late"); }
static void second(void) {
    puts("second registered");
    atexit(late);
}

int main(void) {
    atexit(first);
    atexit(second);
    printf("no newline yet ");
    exit(300);
}
