/* A handler that leaves by exit: output is written, atexit's functions run. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static void bye(void) { puts("bye"); }
static void handler(int n) { exit(n == SIGUSR1 ? 44 : 45); }

int main(void) {
    atexit(bye);
    signal(SIGUSR1, handler);
    printf("unfinished ");
    raise(SIGUSR1);
    return 0;
}
