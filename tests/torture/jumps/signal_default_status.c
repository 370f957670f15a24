/* A signal without a handler ends the program; its status tells which. */
#include <signal.h>
#include <stdio.h>

int main(void) {
    puts("before");
    fflush(stdout);
    raise(SIGTERM);
    puts("after");
    return 0;
}
