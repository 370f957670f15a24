/* alarm.c: SIGALRM comes while a PE sleeps, and ends the sleep; nobody waits for it in vain. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static volatile int rung;
static void ring(int signal) { rung += signal == SIGALRM; }

int main(void) {
    signal(SIGALRM, ring);
    printf("%u\n", alarm(1));
    unsigned fifty_days = 50u * 24 * 60 * 60, rest = sleep(fifty_days);
    printf("rung %d, most is left: %d\n", rung, rest <= fifty_days && rest > fifty_days - 10);
    struct timespec moment = {0, 1000};
    alarm(9);
    printf("a shorter sleep: %d, rung %d, left %u\n", nanosleep(&moment, NULL), rung, alarm(0));
    alarm(1);
    int result = pause();
    printf("pause: %d, interrupted: %d, rung %d\n", result, errno == EINTR, rung);
    ualarm(300000, 100000);
    for (int i = 0; i < 3; ++i) pause();
    useconds_t left = ualarm(0, 0);
    printf("ualarm: rung %d, little is left: %d\n", rung, left > 0 && left <= 100000);
    return 0;
}
