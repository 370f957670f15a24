/* A handler raises another signal; blocked ones wait until they are let through. */
#include <signal.h>
#include <stdio.h>

static char order[16];
static volatile int used;
static void inner(int n) { (void)n; order[used++] = 'i'; }
static void outer(int n) { (void)n; order[used++] = '('; raise(SIGUSR2); order[used++] = ')'; }

int main(void) {
    signal(SIGUSR1, outer);
    signal(SIGUSR2, inner);
    raise(SIGUSR1);
    sigset_t set, pending;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    sigprocmask(SIG_BLOCK, &set, NULL);
    raise(SIGUSR2);
    sigpending(&pending);
    order[used++] = sigismember(&pending, SIGUSR2) ? 'p' : '-';
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    order[used++] = '.';
    puts(order);
    return 0;
}
