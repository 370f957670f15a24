/* A handler runs in the middle of work, changes a flag, and work goes on; SIGFPE and SIGSEGV by raise too. */
#include <signal.h>
#include <stdio.h>

static volatile sig_atomic_t flags;
static void handler(int n) { flags |= n == SIGFPE ? 1 : n == SIGSEGV ? 2 : n == SIGILL ? 4 : 8; }

int main(void) {
    static const int list[] = {SIGFPE, SIGSEGV, SIGILL, SIGALRM};
    unsigned sum = 0;
    for (int i = 0; i < 4; i++) signal(list[i], handler);
    for (int i = 0; i < 100; i++) {
        sum = sum * 31 + i;
        if (i % 25 == 7) raise(list[i / 25]);
    }
    printf("%u %d\n", sum, (int)flags);
    return 0;
}
