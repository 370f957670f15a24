/* alarm.c: SIGALRM comes while the program sleeps or pauses, and is raised there: nothing interrupts a PE that computes, which MOG says
 * once. Programs without alarm() are without this. */
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "calls.h"

enum { NANOSECONDS = 1000000000 };

static long long due; /* in ns of CLOCK_MONOTONIC; 0: no alarm is set */

static long long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (long long)time.tv_sec * NANOSECONDS + time.tv_nsec;
}

unsigned alarm(unsigned seconds) {
    long long rest = due ? due - now() : 0;
    CALL1(alarm, seconds);
    due = seconds ? now() + (long long)seconds * NANOSECONDS : 0;
    return rest > 0 ? (unsigned)((rest + NANOSECONDS - 1) / NANOSECONDS) : 0;
}

/* nanosleep() asks here: shortens what it is about to sleep to what is left until the alarm. Whether there is one in that time. */
int __mog_sleep_until_alarm(struct linux_timespec *time) {
    if (!due) return 0;
    long long left = due - now();
    if (left < 0) left = 0;
    if ((long long)time->sec * NANOSECONDS + time->nsec < left) return 0;
    time->sec = (int)(left / NANOSECONDS);
    time->nsec = (int)(left % NANOSECONDS);
    return 1;
}

void __mog_ring(void) {
    due = 0;
    raise(SIGALRM);
}
