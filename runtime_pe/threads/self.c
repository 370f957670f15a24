/* self.c: the thread that asks, and what all threads have: waiting for words, and locks. */
#include "thread.h"

#include "runtime_pe/system/shared.h"

/* Without initial values, for these would be copied for each new thread: half a kilobyte. */
_Thread_local struct thread __mog_self;
/* Before all other constructors, which may have locks; and earlier still where there can be threads. */
__attribute__((constructor(101))) void __mog_begin_self(void) { __mog_self.id = 1, __mog_self.alive = 1; }

pthread_t pthread_self(void) { return (pthread_t)&__mog_self; }
int pthread_equal(pthread_t a, pthread_t b) { return a == b; }

/* Threads of other PEs have numbers like ours, but not in Linux. */
unsigned __mog_number_among_all(void) {
    static _Thread_local unsigned number;
    if (!number) number = __mog_self.id != 1 ? __mog_self.id : (unsigned)linux_call(LINUX_gettid, 0, 0, 0, 0);
    return number;
}

int __mog_valid_time(const struct timespec *time) { return time->tv_nsec >= 0 && time->tv_nsec < 1000000000; }

/* Of a program that creates threads: create.c. */
void __mog_begin_threads(void) __attribute__((weak));

int __mog_wait_on(const unsigned *word, unsigned value, const struct deadline *until) {
    int error;
    if (!__mog_begin_threads && !is_in_window(word)) { /* nobody else could change it */
        if (!until || !until->time) return EDEADLK;
        error = clock_nanosleep(until->clock, TIMER_ABSTIME, until->time, NULL);
        return error ? error : ETIMEDOUT;
    }
    if (!until || !until->time) {
        error = linux_call6(LINUX_futex, (int)word, LINUX_FUTEX_WAIT | LINUX_FUTEX_PRIVATE_FLAG, (int)value, 0, 0, 0);
    } else {
        const long long seconds = until->time->tv_sec;
        if (!__mog_valid_time(until->time)) return EINVAL;
        if (seconds < 0) return ETIMEDOUT;
        const struct linux_timespec time = {seconds > INT32_MAX ? INT32_MAX : (int)seconds, (int)until->time->tv_nsec};
        const int clock = until->clock == CLOCK_REALTIME ? LINUX_FUTEX_CLOCK_REALTIME : 0;
        error =
            linux_call6(LINUX_futex, (int)word, LINUX_FUTEX_WAIT_BITSET | LINUX_FUTEX_PRIVATE_FLAG | clock, (int)value, (int)&time, 0, -1);
    }
    return error == -LINUX_ETIMEDOUT ? ETIMEDOUT : 0;
}

int __mog_wait_cancellable(unsigned *word, unsigned value, const struct deadline *until) {
    struct thread *self = &__mog_self;
    if (!__mog_test_cancel) return __mog_wait_on(word, value, until);
    lock_word(&self->waker, NULL);
    self->waits_on = word;
    unlock_word(&self->waker);
    int error = has_news() ? EINTR : __mog_wait_on(word, value, until);
    lock_word(&self->waker, NULL);
    self->waits_on = NULL;
    unlock_word(&self->waker);
    return !error && has_news() ? EINTR : error;
}

int __mog_lock_slowly(unsigned *word, unsigned me, const struct deadline *until) {
    for (int spins = 0; spins < SPINS; ++spins) {
        unsigned now = ATOMIC_LOAD(word);
        if (now & THREAD_WAITERS) break;
        if (!now && compare_and_swap(word, 0, me)) return 0;
        relax();
    }
    for (;;) {
        unsigned now = ATOMIC_LOAD(word);
        if (!now) {
            if (compare_and_swap(word, 0, me | THREAD_WAITERS)) return 0;
            continue;
        }
        if (!(now & THREAD_WAITERS)) {
            if (!compare_and_swap(word, now, now | THREAD_WAITERS)) continue;
            now |= THREAD_WAITERS;
        }
        int error = __mog_wait_on(word, now, until);
        if (error) return error;
    }
}
