/* signals.c: signals that a program sends to itself, and abort.
 *
 * No signal comes from outside: raise() calls the handler as a function, in the order POSIX asks for; what is for another thread or the
 * process, and the caller does not take, comes by threads/news.c. A signal that is left to its default goes to the system, which ends the
 * PE or, as for SIGCHLD, does nothing. Only SIGPIPE has its cause in a system call; the system is told whether to end the PE for it, and
 * write() calls
 * __mog_broken_pipe() if there is a handler.
 */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "linux.h"
#include "signals.h"

#define BIT(signal) (1ul << (signal))
#define NEVER_BLOCKED (BIT(SIGKILL) | BIT(SIGSTOP))

static struct sigaction actions[NSIG];
static _Thread_local sigset_t mask, pending, awaited;
static _Thread_local unsigned handled; /* how often a handler was called */
sigset_t __mog_process_pending;

static int valid(int signal) {
    if (signal > 0 && signal < NSIG) return 1;
    errno = EINVAL;
    return 0;
}

static void deliver(int signal);

static sigset_t take_of_process(sigset_t which) {
    if (!(__atomic_load_n(&__mog_process_pending, __ATOMIC_SEQ_CST) & which)) return 0;
    return __atomic_fetch_and(&__mog_process_pending, ~which, __ATOMIC_SEQ_CST) & which;
}

/* Whoever has a signal for the process makes it pending and reads masks; threads write their mask and look what is pending: one sees the
 * other. */
static void set_mask(sigset_t wanted) {
    const sigset_t more = wanted & ~mask;
    __atomic_store_n(&mask, wanted & ~NEVER_BLOCKED, __ATOMIC_SEQ_CST);
    pending |= take_of_process(~mask);
    for (int signal = 1; signal < NSIG; ++signal)
        if (pending & ~mask & BIT(signal)) {
            pending &= ~BIT(signal);
            deliver(signal);
        }
    if (more && __mog_offer_signals) __mog_offer_signals(more);
}

static void describe(int signal, siginfo_t *info) {
    *info = (siginfo_t){.si_signo = signal, .si_code = SI_USER, .si_pid = getpid(), .si_uid = getuid()};
    if (!__mog_signal_details) return;
    info->si_code = __mog_signal_details[signal].code;
    info->si_value = __mog_signal_details[signal].value;
    __mog_signal_details[signal] = (struct signal_details){0};
}

static void deliver(int signal) {
    struct sigaction action = actions[signal];
    if (action.sa_handler == SIG_IGN) return;
    if (action.sa_handler == SIG_DFL) {
        linux_call(LINUX_kill, linux_call(LINUX_getpid, 0, 0, 0, 0), signal, 0, 0);
        return;
    }
    ++handled;
    if (action.sa_flags & SA_RESETHAND) actions[signal].sa_handler = SIG_DFL;
    sigset_t before = mask;
    mask |= (action.sa_mask | (action.sa_flags & SA_NODEFER ? 0 : BIT(signal))) & ~NEVER_BLOCKED;
    if (action.sa_flags & SA_SIGINFO) {
        siginfo_t info;
        describe(signal, &info);
        action.sa_sigaction(signal, &info, NULL);
    } else {
        action.sa_handler(signal);
    }
    set_mask(before);
}

int raise(int signal) {
    if (!valid(signal)) return -1;
    if (mask & BIT(signal)) pending |= BIT(signal);
    else deliver(signal);
    return 0;
}

void __mog_broken_pipe(void) { raise(SIGPIPE); }

int sigaction(int signal, const struct sigaction *action, struct sigaction *old) {
    if (!valid(signal)) return -1;
    if (action && BIT(signal) & NEVER_BLOCKED) {
        errno = EINVAL;
        return -1;
    }
    if (old) *old = actions[signal];
    if (!action) return 0;
    actions[signal] = *action;
    if (signal == SIGPIPE) {
        struct linux_sigaction raw = {.handler = action->sa_handler == SIG_DFL ? 0 : (unsigned)SIG_IGN};
        linux_call(LINUX_rt_sigaction, signal, (int)&raw, 0, sizeof raw.mask);
    }
    return 0;
}

/* As in BSD and glibc, a handler stays. */
_sig_func_ptr signal(int number, _sig_func_ptr handler) {
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART}, old;
    return sigaction(number, &action, &old) < 0 ? SIG_ERR : old.sa_handler;
}

int siginterrupt(int signal, int interrupts) {
    (void)interrupts; /* no call is ever interrupted */
    return valid(signal) ? 0 : -1;
}

/* In news.c, and there only if the program signals or cancels threads: what was sent to this one becomes pending, or is delivered. */
extern int __mog_take_sent_signals(void) __attribute__((weak));
static void take_sent(void) {
    if (__mog_take_sent_signals) __mog_take_sent_signals();
}

int sigprocmask(int how, const sigset_t *set, sigset_t *old) {
    if (old) *old = mask;
    if (!set) return 0;
    take_sent();
    switch (how) {
        case SIG_SETMASK: set_mask(*set); return 0;
        case SIG_BLOCK: set_mask(mask | *set); return 0;
        case SIG_UNBLOCK: set_mask(mask & ~*set); return 0;
        default: errno = EINVAL; return -1;
    }
}

int sigpending(sigset_t *set) {
    take_sent();
    *set = pending | __atomic_load_n(&__mog_process_pending, __ATOMIC_SEQ_CST);
    return 0;
}

/* In alarm.c, and there only if the program sets an alarm. */
extern int __mog_sleep_until_alarm(struct linux_timespec *) __attribute__((weak));

/* For SIGALRM if an alarm is set. Waiting for a signal that is not there would never end: the system call fails, and MOG says so. */
extern int __mog_wait_for_news(void) __attribute__((weak));
extern unsigned __mog_count_threads(unsigned) __attribute__((weak)); /* create.c */
static int wait_for_signal(void) {
    struct linux_timespec until = {0x7fffffff, 0};
    if (__mog_sleep_until_alarm && __mog_sleep_until_alarm(&until)) return nanosleep(&(struct timespec){0x7fffffff, 0}, NULL);
    return __mog_wait_for_news && __mog_count_threads ? __mog_wait_for_news() : linux_result(linux_call(LINUX_pause, 0, 0, 0, 0));
}
int pause(void) { return wait_for_signal(); }

int sigsuspend(const sigset_t *set) {
    take_sent();
    const sigset_t before = mask;
    const unsigned handled_before = handled;
    set_mask(*set);
    int number = handled == handled_before && wait_for_signal() < 0 ? errno : EINTR;
    set_mask(before);
    errno = number;
    return -1;
}

/* For threads, which begin with those of whoever creates them. */
sigset_t *__mog_blocked_signals(void) { return &mask; }
sigset_t *__mog_awaited_signals(void) { return &awaited; }

/* For news.c: those that a handler could see, and those that sigwait() waits for. */
sigset_t __mog_signals_that_end_waits(void) { return ~mask | awaited; }

/* Of those for the process, what the caller does not block is delivered; which they were, with those that it waits for and finds pending.
 */
sigset_t __mog_take_process_signals(void) {
    const sigset_t taken = take_of_process(~mask & ~awaited);
    for (int signal = 1; signal < NSIG; ++signal)
        if (taken & BIT(signal)) deliver(signal);
    return taken | (__atomic_load_n(&__mog_process_pending, __ATOMIC_SEQ_CST) & awaited);
}

/* A pending signal of the set, which is not pending any more; 0: there is none. */
static int take_one(sigset_t set) {
    take_sent();
    for (int signal = 1; signal < NSIG; ++signal) {
        const sigset_t bit = BIT(signal) & set;
        if (!(pending & bit) && !take_of_process(bit)) continue;
        pending &= ~bit;
        return signal;
    }
    return 0;
}

/* Whoever begins to wait is seen to wait before it looks what is pending, as with masks. */
static void await(sigset_t set) { __atomic_store_n(&awaited, set, __ATOMIC_SEQ_CST); }

int sigwait(const sigset_t *set, int *result) {
    int number = EINTR;
    await(*set);
    while (number == EINTR && !(*result = take_one(*set))) number = wait_for_signal() < 0 ? errno : EINTR;
    await(0);
    return *result ? 0 : number;
}

enum { NANOSECONDS = 1000000000 };

int sigtimedwait(const sigset_t *set, siginfo_t *info, const struct timespec *timeout) {
    if (timeout && (timeout->tv_nsec < 0 || timeout->tv_nsec >= NANOSECONDS)) {
        errno = EINVAL;
        return -1;
    }
    struct timespec now, until;
    if (timeout) {
        clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_sec += timeout->tv_sec + (until.tv_nsec + timeout->tv_nsec) / NANOSECONDS;
        until.tv_nsec = (until.tv_nsec + timeout->tv_nsec) % NANOSECONDS;
    }
    const unsigned handled_before = handled;
    int signal, number = 0;
    await(*set);
    while (!(signal = take_one(*set)) && !number) {
        if (handled != handled_before) {
            number = EINTR;
        } else if (!timeout) {
            if (wait_for_signal() < 0 && errno != EINTR) number = errno;
        } else {
            clock_gettime(CLOCK_MONOTONIC, &now);
            struct timespec rest = {until.tv_sec - now.tv_sec, until.tv_nsec - now.tv_nsec};
            if (rest.tv_nsec < 0) rest = (struct timespec){rest.tv_sec - 1, rest.tv_nsec + NANOSECONDS};
            if (rest.tv_sec < 0 || (rest.tv_sec == 0 && rest.tv_nsec == 0)) number = EAGAIN;
            else nanosleep(&rest, NULL);
        }
    }
    await(0);
    if (!signal) {
        errno = number;
        return -1;
    }
    if (info) describe(signal, info);
    return signal;
}
int sigwaitinfo(const sigset_t *set, siginfo_t *info) { return sigtimedwait(set, info, NULL); }

/* System V's. */
int sighold(int signal) { return valid(signal) ? sigprocmask(SIG_BLOCK, &(sigset_t){BIT(signal)}, NULL) : -1; }
int sigrelse(int signal) { return valid(signal) ? sigprocmask(SIG_UNBLOCK, &(sigset_t){BIT(signal)}, NULL) : -1; }
int sigignore(int signal) { return sigaction(signal, &(struct sigaction){.sa_handler = SIG_IGN}, NULL); }

int sigaltstack(const stack_t *stack, stack_t *old) {
    (void)stack, (void)old;
    errno = ENOSYS;
    return -1;
}

int sigemptyset(sigset_t *set) { return *set = 0, 0; }
int sigfillset(sigset_t *set) { return *set = ~0ul, 0; }
int sigaddset(sigset_t *set, int signal) { return valid(signal) ? *set |= BIT(signal), 0 : -1; }
int sigdelset(sigset_t *set, int signal) { return valid(signal) ? *set &= ~BIT(signal), 0 : -1; }
int sigismember(const sigset_t *set, int signal) { return valid(signal) ? (*set & BIT(signal)) != 0 : -1; }

void __mog_save_mask(sigjmp_buf place, int has_mask) {
    place->has_mask = has_mask;
    place->mask = mask;
}

void siglongjmp(sigjmp_buf place, int value) {
    if (place->has_mask) set_mask(place->mask);
    longjmp(place->registers, value);
}
