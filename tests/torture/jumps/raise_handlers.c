/* raise runs the handler at once and comes back; handlers can be changed, ignored and reset. */
#include <signal.h>
#include <stdio.h>

static volatile sig_atomic_t seen;
static void first(int number) { seen = seen * 10 + 1 + (number == SIGINT); }
static void second(int number) { (void)number; seen = seen * 10 + 3; }

int main(void) {
    void (*old)(int) = signal(SIGINT, first);
    printf("%d ", old == SIG_DFL);
    raise(SIGINT);
    old = signal(SIGINT, second);
    printf("%d ", old == first);
    raise(SIGINT);
    signal(SIGINT, SIG_IGN);
    printf("%d ", raise(SIGINT));
    old = signal(SIGINT, first);
    printf("%d ", old == SIG_IGN);
    raise(SIGINT);
    printf("%d\n", (int)seen);
    return 0;
}
