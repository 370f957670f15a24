/* news.c: what threads send each other, cancellations and signals, as it arrives: where a thread waits or calls the system, for nothing
 * interrupts one that computes. */
#include <signal.h>
#include <time.h>

#include "thread.h"

/* In programs that cancel threads or create some. */
_Noreturn void __mog_end_thread(void *result) __attribute__((weak));

#define BIT(signal) (1ul << (signal))

sigset_t __mog_signals_that_end_waits(void); /* signals.c */
sigset_t __mog_take_process_signals(void);

static int take_signals(struct thread *self) {
    const sigset_t signals = __atomic_exchange_n(&self->signals, 0, __ATOMIC_ACQ_REL);
    const sigset_t ending = __mog_signals_that_end_waits();
    for (int signal = 1; signal < NSIG; ++signal)
        if (signals & BIT(signal)) raise(signal);
    return ((signals | __mog_take_process_signals()) & ending) != 0;
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

void __mog_send_news(struct thread *thread, unsigned news) {
    __atomic_fetch_or(&thread->news, news, __ATOMIC_SEQ_CST);
    lock_word(&thread->waker, NULL);
    if (thread->waits_on) {
        __atomic_fetch_xor(thread->waits_on, 1, __ATOMIC_SEQ_CST);
        __mog_wake(thread->waits_on, INT32_MAX);
    }
    unlock_word(&thread->waker);
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
    /* What has come already ends this, too: a signal that sigtimedwait() waits for must not be slept over. */
    int ends = cancellation_point(), error = EINTR;
    while (!ends) {
        error = __mog_wait_cancellable(&nobody_changes, ATOMIC_LOAD(&nobody_changes), &(struct deadline){CLOCK_MONOTONIC, &until});
        ends = error && (error != EINTR || cancellation_point());
    }
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
