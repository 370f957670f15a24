/* abort ends with SIGABRT, also if a handler returns. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static void handler(int n) {
    (void)n;
    puts("handled");
    fflush(stdout);
}

int main(void) {
    signal(SIGABRT, handler);
    abort();
}
