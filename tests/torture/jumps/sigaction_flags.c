/* sigaction: SA_RESETHAND, SA_NODEFER, the mask while handling, and what was set before. */
#include <signal.h>
#include <stdio.h>
#include <string.h>

static volatile int depth, deepest;
static void nest(int n) {
    deepest = ++depth > deepest ? depth : deepest;
    if (depth < 3) raise(n);
    depth--;
}

int main(void) {
    struct sigaction a, old;
    memset(&a, 0, sizeof a);
    a.sa_handler = nest;
    a.sa_flags = SA_NODEFER;
    sigaction(SIGUSR1, &a, NULL);
    raise(SIGUSR1);
    printf("%d ", deepest);
    deepest = 0;
    a.sa_flags = SA_RESETHAND;
    sigaction(SIGUSR2, &a, NULL);
    depth = 5;
    raise(SIGUSR2);
    sigaction(SIGUSR2, NULL, &old);
    printf("%d %d\n", deepest, old.sa_handler == SIG_DFL);
    return 0;
}
