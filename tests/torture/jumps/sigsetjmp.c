/* sigsetjmp and siglongjmp out of a signal handler, the mask restored. */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>

static sigjmp_buf buffer;
static void handler(int number) { siglongjmp(buffer, number); }

int main(void) {
    volatile int count = 0;
    signal(SIGUSR1, handler);
    int v = sigsetjmp(buffer, 1);
    count++;
    if (count < 4) raise(SIGUSR1);
    sigset_t now;
    sigprocmask(SIG_BLOCK, NULL, &now);
    printf("%d %d %d\n", count, v == SIGUSR1, sigismember(&now, SIGUSR1));
    return 0;
}
