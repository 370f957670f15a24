/* process_signals.c: signals for the process: kill(), sigqueue(). Whoever sends one takes it, unless he blocks it; then a thread gets it
 * that does not, or that waits for it in sigwait(), and is told as news.c says; and if there is none, the first that unblocks it or waits
 * for it. */
#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include "runtime_pe/system/signals.h"
#include "thread.h"

#define BIT(signal) (1ul << (signal))

struct signal_details __mog_signal_details[NSIG];

/* Threads that have not ended, the one first that created the first of the others; nobody, in a program that creates none. */
static struct thread *living;
static unsigned living_lock;

static void insert(struct thread *thread) {
    struct thread *first = living;
    thread->living_before = first;
    thread->living_after = first ? first->living_after : NULL;
    if (thread->living_after) thread->living_after->living_before = thread;
    if (first) first->living_after = thread;
    else living = thread;
}

void __mog_enlist(struct thread *thread) {
    lock_word(&living_lock, NULL);
    if (!living) insert(&__mog_self);
    insert(thread);
    unlock_word(&living_lock);
}

void __mog_delist(struct thread *thread) {
    lock_word(&living_lock, NULL);
    if (thread->living_before) thread->living_before->living_after = thread->living_after;
    else if (living == thread) living = thread->living_after;
    if (thread->living_after) thread->living_after->living_before = thread->living_before;
    unlock_word(&living_lock);
    if (thread == &__mog_self) __mog_offer_signals(~0ul); /* what it was told of and has not taken */
}

/* Who takes a signal that is pending for the process is told so. */
static void offer(int signal) {
    struct thread *taker;
    int awaits = 0;
    lock_word(&living_lock, NULL);
    for (taker = living; taker; taker = taker->living_after) {
        if (taker == &__mog_self) continue;
        awaits = (__atomic_load_n((sigset_t *)in_thread(taker, __mog_awaited_signals()), __ATOMIC_SEQ_CST) & BIT(signal)) != 0;
        if (awaits || !(__atomic_load_n((sigset_t *)in_thread(taker, __mog_blocked_signals()), __ATOMIC_SEQ_CST) & BIT(signal))) break;
    }
    struct sigaction action;
    sigaction(signal, NULL, &action);
    const int is_default = taker && !awaits && action.sa_handler == SIG_DFL;
    if (taker && !is_default) __mog_send_news(taker, NEWS_SIGNALS);
    unlock_word(&living_lock);
    /* What it does without a handler, it does to the process. */
    if (is_default && __atomic_fetch_and(&__mog_process_pending, ~BIT(signal), __ATOMIC_SEQ_CST) & BIT(signal))
        linux_call(LINUX_kill, getpid(), signal, 0, 0);
}

void __mog_offer_signals(sigset_t which) {
    which &= __atomic_load_n(&__mog_process_pending, __ATOMIC_SEQ_CST);
    for (int signal = 1; which && signal < NSIG; which &= ~BIT(signal), ++signal)
        if (which & BIT(signal)) offer(signal);
}

static int signal_process(int signal, struct signal_details details) {
    if (signal < 0 || signal >= NSIG) {
        errno = EINVAL;
        return -1;
    }
    if (!signal) return 0;
    __mog_signal_details[signal] = details;
    if (!(*__mog_blocked_signals() & BIT(signal))) return raise(signal);
    __atomic_fetch_or(&__mog_process_pending, BIT(signal), __ATOMIC_SEQ_CST);
    offer(signal);
    return 0;
}

int kill(pid_t pid, int signal) {
    if (signal != 0 && (pid == 0 || pid == getpid())) return signal_process(signal, (struct signal_details){.code = SI_USER});
    return linux_result(linux_call(LINUX_kill, pid, signal, 0, 0));
}

int killpg(pid_t group, int signal) { return kill(group == getpid() ? 0 : -group, signal); }

/* A signal comes once, with the value that was sent last: there are none of real time. */
int sigqueue(pid_t pid, int signal, const union sigval value) {
    if (pid == getpid()) return signal_process(signal, (struct signal_details){.code = SI_QUEUE, .value = value});
    return linux_result(linux_call(LINUX_kill, pid, signal, 0, 0));
}

int tgkill(pid_t process, pid_t number, int signal) {
    if (process != getpid() || number <= 0) return linux_result(linux_call(LINUX_tgkill, process, number, signal, 0));
    if (number == gettid()) return signal ? raise(signal) : 0;
    int error = ESRCH;
    lock_word(&living_lock, NULL);
    for (struct thread *thread = living; thread && error == ESRCH; thread = thread->living_after)
        if (thread->id == (unsigned)number || (thread->id == 1 && number == process)) error = pthread_kill((pthread_t)thread, signal);
    unlock_word(&living_lock);
    if (!error) return 0;
    errno = error;
    return -1;
}
