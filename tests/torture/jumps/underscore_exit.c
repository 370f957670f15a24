/* _Exit writes out nothing and calls nobody. */
#include <stdio.h>
#include <stdlib.h>

static void never(void) { puts("never"); }

int main(void) {
    atexit(never);
    puts("written");
    fflush(stdout);
    printf("lost");
    _Exit(21);
}
