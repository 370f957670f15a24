/* cancel_state.c: whether a thread can be cancelled, which programs may say that cancel none; and what they ask of signals. */
#include <signal.h>

#include "thread.h"

int pthread_setcancelstate(int state, int *old) {
    if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE) return EINVAL;
    if (old) *old = __mog_self.cancel_state;
    __mog_self.cancel_state = state;
    if (state == PTHREAD_CANCEL_ENABLE && __mog_self.cancel_type == PTHREAD_CANCEL_ASYNCHRONOUS) cancellation_point();
    return 0;
}

int pthread_sigmask(int how, const sigset_t *restrict set, sigset_t *restrict old) { return sigprocmask(how, set, old) ? errno : 0; }

/* There is no fork. */
int pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void)) {
    (void)prepare, (void)parent, (void)child;
    return 0;
}
