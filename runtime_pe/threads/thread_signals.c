/* thread_signals.c: signals for one thread. They arrive as news.c says. */
#include <signal.h>
#include <unistd.h>

#include "thread.h"

#define BIT(signal) (1ul << (signal))

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
    if (action.sa_handler == SIG_DFL && !(ATOMIC_LOAD(blocked) & BIT(signal))) return -linux_call(LINUX_kill, getpid(), signal, 0, 0);
    __atomic_fetch_or(&thread->signals, BIT(signal), __ATOMIC_SEQ_CST);
    __mog_send_news(thread, NEWS_SIGNALS);
    return 0;
}
