/* alarm.c: SIGALRM comes while the program sleeps or pauses, and is raised there: nothing interrupts a PE that computes, which MOG says
 * once. Programs without alarm() are without this. */
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "calls.h"

enum { NANOSECONDS = 1000000000 };

static long long due;   /* in ns of CLOCK_MONOTONIC; 0: no alarm is set */
static long long again; /* ns from one to the next; 0: there is but one */

static long long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (long long)time.tv_sec * NANOSECONDS + time.tv_nsec;
}

/* What was left until the alarm before, in ns. Inline, for MOG names the function that makes a call. */
static inline __attribute__((always_inline)) long long set(long long time) {
    long long rest = due ? due - now() : 0;
    CALL1(alarm, (time + NANOSECONDS - 1) / NANOSECONDS); /* which says what alarms are here */
    due = time ? now() + time : 0;
    again = 0;
    return rest > 0 ? rest : 0;
}
unsigned alarm(unsigned seconds) { return (unsigned)((set((long long)seconds * NANOSECONDS) + NANOSECONDS - 1) / NANOSECONDS); }
useconds_t ualarm(useconds_t microseconds, useconds_t interval) {
    useconds_t rest = (useconds_t)(set(microseconds * 1000LL) / 1000);
    again = interval * 1000LL;
    return rest;
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
    due = again ? now() + again : 0;
    raise(SIGALRM);
}
