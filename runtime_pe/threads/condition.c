/* condition.c: condition variables. Who waits sleeps on a number that each signal changes; a broadcast wakes one, and lets the others wait
 * for the mutex, which they would all run into. */
#include "thread.h"

enum { SIGNAL = 2 /* the bit below is for cancellations */ };

/* In attributes' __clock: the clock, and whether PEs share it. */
enum { SHARED = 0x100 };
int pthread_condattr_init(pthread_condattr_t *attributes) { return attributes->__clock = CLOCK_REALTIME, 0; }
int pthread_condattr_destroy(pthread_condattr_t *attributes) { return (void)attributes, 0; }
int pthread_condattr_setclock(pthread_condattr_t *attributes, clockid_t clock) {
    if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC) return EINVAL;
    attributes->__clock = (attributes->__clock & SHARED) | (int)clock;
    return 0;
}
int pthread_condattr_getclock(const pthread_condattr_t *restrict attributes, clockid_t *restrict clock) {
    *clock = (clockid_t)(attributes->__clock & ~SHARED);
    return 0;
}
int pthread_condattr_setpshared(pthread_condattr_t *attributes, int shared) {
    if (shared != PTHREAD_PROCESS_PRIVATE && shared != PTHREAD_PROCESS_SHARED) return EINVAL;
    attributes->__clock = (attributes->__clock & ~SHARED) | (shared == PTHREAD_PROCESS_SHARED ? SHARED : 0);
    return 0;
}
int pthread_condattr_getpshared(const pthread_condattr_t *restrict attributes, int *restrict shared) {
    *shared = attributes->__clock & SHARED ? PTHREAD_PROCESS_SHARED : PTHREAD_PROCESS_PRIVATE;
    return 0;
}

int pthread_cond_init(pthread_cond_t *restrict condition, const pthread_condattr_t *restrict attributes) {
    *condition = (pthread_cond_t){.__clock = attributes ? attributes->__clock & ~SHARED : 0};
    return 0;
}

/* Threads that were woken may still be on their way out. */
int pthread_cond_destroy(pthread_cond_t *condition) {
    while (ATOMIC_LOAD(&condition->__waiters)) {
        __atomic_fetch_add(&condition->__sequence, SIGNAL, __ATOMIC_SEQ_CST);
        __mog_wake(&condition->__sequence, INT32_MAX);
        relax();
    }
    return 0;
}

static int wait_until(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct deadline *until) {
    cancellation_point();
    if (until && !__mog_valid_time(until->time)) return EINVAL;
    const unsigned seen = ATOMIC_LOAD(&condition->__sequence);
    ATOMIC_STORE(&condition->__mutex, mutex);
    const int again = mutex->__again;
    mutex->__again = 0;
    __atomic_fetch_add(&condition->__waiters, 1, __ATOMIC_SEQ_CST);
    int error = pthread_mutex_unlock(mutex), result = 0;
    if (!error) result = __mog_wait_cancellable(&condition->__sequence, seen, until);
    __atomic_fetch_sub(&condition->__waiters, 1, __ATOMIC_SEQ_CST);
    if (!error) error = __mog_lock_again(mutex);
    mutex->__again = again;
    if (result == EINTR) {
        /* A signal that came as well is another thread's. */
        if (ATOMIC_LOAD(&condition->__sequence) >> 1 != seen >> 1) pthread_cond_signal(condition);
        cancellation_point();
        result = 0;
    }
    return error ? error : result;
}

int pthread_cond_wait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex) { return wait_until(condition, mutex, NULL); }
int pthread_cond_clockwait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex, clockid_t clock,
                           const struct timespec *restrict until) {
    if (!is_clock_to_wait_by(clock)) return EINVAL;
    return wait_until(condition, mutex, &(struct deadline){clock, until});
}
int pthread_cond_timedwait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex, const struct timespec *restrict until) {
    return pthread_cond_clockwait(condition, mutex, condition->__clock ? (clockid_t)condition->__clock : CLOCK_REALTIME, until);
}

int pthread_cond_signal(pthread_cond_t *condition) {
    if (!ATOMIC_LOAD(&condition->__waiters)) return 0;
    __atomic_fetch_add(&condition->__sequence, SIGNAL, __ATOMIC_SEQ_CST);
    __mog_wake(&condition->__sequence, 1);
    return 0;
}

int pthread_cond_broadcast(pthread_cond_t *condition) {
    if (!ATOMIC_LOAD(&condition->__waiters)) return 0;
    const unsigned now = __atomic_add_fetch(&condition->__sequence, SIGNAL, __ATOMIC_SEQ_CST);
    const pthread_mutex_t *mutex = ATOMIC_LOAD(&condition->__mutex);
    const int moved = linux_call6(LINUX_futex, (int)&condition->__sequence, LINUX_FUTEX_CMP_REQUEUE | LINUX_FUTEX_PRIVATE_FLAG, 1,
                                  INT32_MAX, (int)&mutex->__word, (int)now);
    if (moved < 0) __mog_wake(&condition->__sequence, INT32_MAX); /* somebody else signalled as well */
    return 0;
}
