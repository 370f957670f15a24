/* signals.c: signals that a program sends to itself, and abort.
 *
 * No signal comes from outside: raise() and kill(getpid()) call the handler as a function, in the order POSIX asks for. A
 * signal that is left to its default goes to the system, which ends the PE or, as for SIGCHLD, does nothing. Only SIGPIPE
 * has its cause in a system call; the system is told whether to end the PE for it, and write() calls
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

#define BIT(signal) (1ul << (signal))
#define NEVER_BLOCKED (BIT(SIGKILL) | BIT(SIGSTOP))

static struct sigaction actions[NSIG];
static _Thread_local sigset_t mask, pending, awaited;

static int valid(int signal) {
    if (signal > 0 && signal < NSIG) return 1;
    errno = EINVAL;
    return 0;
}

static void deliver(int signal);

static void set_mask(sigset_t wanted) {
    mask = wanted & ~NEVER_BLOCKED;
    for (int signal = 1; signal < NSIG; ++signal)
        if (pending & ~mask & BIT(signal)) {
            pending &= ~BIT(signal);
            deliver(signal);
        }
}

static void deliver(int signal) {
    struct sigaction action = actions[signal];
    if (action.sa_handler == SIG_IGN) return;
    if (action.sa_handler == SIG_DFL) {
        linux_call(LINUX_kill, linux_call(LINUX_getpid, 0, 0, 0, 0), signal, 0, 0);
        return;
    }
    if (action.sa_flags & SA_RESETHAND) actions[signal].sa_handler = SIG_DFL;
    sigset_t before = mask;
    mask |= (action.sa_mask | (action.sa_flags & SA_NODEFER ? 0 : BIT(signal))) & ~NEVER_BLOCKED;
    if (action.sa_flags & SA_SIGINFO) {
        siginfo_t info = {.si_signo = signal, .si_code = SI_USER, .si_pid = getpid(), .si_uid = getuid()};
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

int kill(pid_t pid, int signal) {
    if (signal && (pid == 0 || pid == getpid())) return raise(signal);
    return linux_result(linux_call(LINUX_kill, pid, signal, 0, 0));
}

int killpg(pid_t group, int signal) { return kill(group == getpid() ? 0 : -group, signal); }

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

/* In cancel.c, and there only if the program signals threads: what was sent to this one becomes pending, or is delivered. */
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
    *set = pending;
    return 0;
}

/* In alarm.c, and there only if the program sets an alarm. */
extern int __mog_sleep_until_alarm(struct linux_timespec *) __attribute__((weak));

/* For SIGALRM if an alarm is set. Waiting for a signal that is not there would never end: the system call fails, and MOG says so. */
extern int __mog_wait_for_news(void) __attribute__((weak));
static int wait_for_signal(void) {
    struct linux_timespec until = {0x7fffffff, 0};
    if (__mog_sleep_until_alarm && __mog_sleep_until_alarm(&until)) return nanosleep(&(struct timespec){0x7fffffff, 0}, NULL);
    return __mog_wait_for_news ? __mog_wait_for_news() : linux_result(linux_call(LINUX_pause, 0, 0, 0, 0));
}
int pause(void) { return wait_for_signal(); }

int sigsuspend(const sigset_t *set) {
    take_sent();
    sigset_t before = mask;
    int waits = !(pending & ~*set);
    set_mask(*set);
    int number = waits && wait_for_signal() < 0 ? errno : EINTR;
    set_mask(before);
    errno = number;
    return -1;
}

/* For threads, which begin with those of whoever creates them. */
sigset_t *__mog_blocked_signals(void) { return &mask; }

/* For cancel.c: those that a handler could see, and those that sigwait() waits for. */
sigset_t __mog_signals_that_end_waits(void) { return ~mask | awaited; }

int sigwait(const sigset_t *set, int *result) {
    int number;
    awaited = *set;
    do {
        take_sent();
        for (int signal = 1; signal < NSIG; ++signal)
            if (pending & *set & BIT(signal)) {
                pending &= ~BIT(signal);
                *result = signal;
                awaited = 0;
                return 0;
            }
        number = wait_for_signal() < 0 ? errno : 0;
    } while (number == EINTR);
    awaited = 0;
    return number;
}

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
