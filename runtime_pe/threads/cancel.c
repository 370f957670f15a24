/* cancel.c: what threads send each other: cancellations, and signals. They arrive where a thread waits or calls the system: nothing
 * interrupts one that computes. */
#include <signal.h>
#include <time.h>

#include "thread.h"

#define BIT(signal) (1ul << (signal))

sigset_t __mog_signals_that_end_waits(void); /* signals.c */

static int take_signals(struct thread *self) {
    const sigset_t signals = __atomic_exchange_n(&self->signals, 0, __ATOMIC_ACQ_REL);
    const sigset_t ending = __mog_signals_that_end_waits();
    for (int signal = 1; signal < NSIG; ++signal)
        if (signals & BIT(signal)) raise(signal);
    return (signals & ending) != 0;
}

/* Whether one came that ends a wait. Not while the C library holds a lock: the handler might want it. */
int __mog_take_sent_signals(void) {
    struct thread *self = &__mog_self;
    if (self->library_locks || !(ATOMIC_LOAD(&self->news) & NEWS_SIGNALS)) return 0;
    __atomic_fetch_and(&self->news, ~(unsigned)NEWS_SIGNALS, __ATOMIC_ACQ_REL);
    return take_signals(self);
}

int __mog_test_cancel(void) {
    struct thread *self = &__mog_self;
    if (self->library_locks) return 0;
    const int taken = __mog_take_sent_signals();
    if (ATOMIC_LOAD(&self->news) & NEWS_CANCELLED && self->cancel_state == PTHREAD_CANCEL_ENABLE) __mog_end_thread(PTHREAD_CANCELED);
    return taken;
}

static void send(struct thread *thread, unsigned news) {
    __atomic_fetch_or(&thread->news, news, __ATOMIC_SEQ_CST);
    lock_word(&thread->waker, NULL);
    if (thread->waits_on) {
        __atomic_fetch_xor(thread->waits_on, 1, __ATOMIC_SEQ_CST);
        __mog_wake(thread->waits_on, INT32_MAX);
    }
    unlock_word(&thread->waker);
}

static int has_ended(const struct thread *thread) { return ATOMIC_LOAD(&thread->ended) & 2; }

int pthread_cancel(pthread_t number) {
    struct thread *thread = (struct thread *)number;
    if (has_ended(thread)) return ESRCH;
    send(thread, NEWS_CANCELLED);
    if (thread == &__mog_self && thread->cancel_type == PTHREAD_CANCEL_ASYNCHRONOUS) pthread_testcancel();
    return 0;
}
void pthread_testcancel(void) { cancellation_point(); }

int pthread_setcanceltype(int type, int *old) {
    if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS) return EINVAL;
    if (old) *old = __mog_self.cancel_type;
    __mog_self.cancel_type = type;
    if (type == PTHREAD_CANCEL_ASYNCHRONOUS) pthread_testcancel();
    return 0;
}

int pthread_kill(pthread_t number, int signal) {
    struct thread *thread = (struct thread *)number;
    if (signal < 0 || signal >= NSIG) return EINVAL;
    if (has_ended(thread)) return ESRCH;
    if (!signal) return 0;
    if (thread == &__mog_self) return raise(signal) ? errno : 0;
    struct sigaction action;
    if (sigaction(signal, NULL, &action) < 0) return errno;
    if (action.sa_handler == SIG_IGN) return 0;
    /* What it does without a handler, it does to the process, but not as long as it is blocked, and sigwait() may take it. */
    const sigset_t *const blocked = in_thread(thread, __mog_blocked_signals());
    if (action.sa_handler == SIG_DFL && !(ATOMIC_LOAD(blocked) & BIT(signal))) return raise(signal) ? errno : 0;
    __atomic_fetch_or(&thread->signals, BIT(signal), __ATOMIC_SEQ_CST);
    send(thread, NEWS_SIGNALS);
    return 0;
}

/* pause() of a program that cancels or signals threads. What came between sigsuspend()'s change of the mask and this ends it too. */
int __mog_wait_for_news(void) {
    unsigned nobody_changes = 0;
    int error = EINTR;
    while (!error || (error == EINTR && !cancellation_point()))
        error = __mog_wait_cancellable(&nobody_changes, ATOMIC_LOAD(&nobody_changes), NULL);
    errno = error;
    return -1;
}

/* nanosleep() of a program that cancels or signals threads. */
int __mog_sleep_on(const struct timespec *wanted, struct timespec *rest) {
    struct timespec until, now;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += wanted->tv_sec;
    until.tv_nsec += wanted->tv_nsec;
    if (until.tv_nsec >= 1000000000) {
        until.tv_nsec -= 1000000000;
        ++until.tv_sec;
    }
    unsigned nobody_changes = 0;
    int error;
    cancellation_point();
    do error = __mog_wait_cancellable(&nobody_changes, ATOMIC_LOAD(&nobody_changes), &(struct deadline){CLOCK_MONOTONIC, &until});
    while (!error || (error == EINTR && !cancellation_point()));
    if (error == ETIMEDOUT) return 0;
    if (rest) {
        clock_gettime(CLOCK_MONOTONIC, &now);
        rest->tv_sec = until.tv_sec - now.tv_sec;
        rest->tv_nsec = until.tv_nsec - now.tv_nsec;
        if (rest->tv_nsec < 0) {
            rest->tv_nsec += 1000000000;
            --rest->tv_sec;
        }
    }
    errno = EINTR;
    return -1;
}
