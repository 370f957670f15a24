/* quick_exit calls at_quick_exit's functions only, in reverse order. */
#include <stdio.h>
#include <stdlib.h>

static void one(void) { puts("one"), fflush(stdout); }
static void two(void) { puts("two"), fflush(stdout); }
static void never(void) { puts("never"); }

int main(void) {
    at_quick_exit(one);
    at_quick_exit(two);
    atexit(never);
    quick_exit(17);
}
