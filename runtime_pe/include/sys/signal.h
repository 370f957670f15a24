/* sys/signal.h: signals, numbered as Linux for MIPS does, for newlib's <signal.h>. signals.c says what they can do. */
#ifndef _SYS_SIGNAL_H
#define _SYS_SIGNAL_H

#include "_ansi.h"
#include <sys/cdefs.h>
#include <sys/features.h>

#include <mog_abi/signal.h>
#define SIGIOT SIGABRT
#define SIGCLD SIGCHLD
#define SIGPOLL SIGIO
#define _NSIG 32

typedef void (*_sig_func_ptr)(int);

#if __POSIX_VISIBLE     /* C has no more than the above */

#include <sys/_sigset.h>
#include <sys/_timespec.h>
#include <sys/types.h>

#define NSIG _NSIG

/* Others may come here from within <sys/types.h>, as gnulib's headers do, before it has come to these. */
#ifndef _PID_T_DECLARED
typedef __pid_t pid_t;
#define _PID_T_DECLARED
#endif
#ifndef _UID_T_DECLARED
typedef __uid_t uid_t;
#define _UID_T_DECLARED
#endif

#if !defined(_SIGSET_T_DECLARED)
#define _SIGSET_T_DECLARED
typedef __sigset_t sigset_t;
#endif

union sigval {
    int sival_int;
    void *sival_ptr;
};

typedef struct {
    int si_signo, si_code, si_errno;
    pid_t si_pid;
    uid_t si_uid;
    void *si_addr;
    int si_status;
    union sigval si_value;
} siginfo_t;

#define SI_USER 0
#define SI_QUEUE -1
#define SI_KERNEL 128

struct sigaction {
    unsigned sa_flags;
    union {
        _sig_func_ptr __handler;
        void (*__action)(int, siginfo_t *, void *);
    } __function;
#define sa_handler __function.__handler
#define sa_sigaction __function.__action
    sigset_t sa_mask;
};

#define SA_NOCLDSTOP 0x00000001
#define SA_SIGINFO 0x00000008
#define SA_NOCLDWAIT 0x00010000
#define SA_ONSTACK 0x08000000
#define SA_RESTART 0x10000000
#define SA_NODEFER 0x40000000
#define SA_RESETHAND 0x80000000
#define SA_NOMASK SA_NODEFER
#define SA_ONESHOT SA_RESETHAND

#define SIG_BLOCK 1
#define SIG_UNBLOCK 2
#define SIG_SETMASK 3

#define MINSIGSTKSZ 2048
#define SIGSTKSZ 8192
#define SS_ONSTACK 1
#define SS_DISABLE 2

typedef struct sigaltstack {
    void *ss_sp;
    size_t ss_size;
    int ss_flags;
} stack_t;

__BEGIN_DECLS
int kill(pid_t, int);
int killpg(pid_t, int);
int sigqueue(pid_t, int, const union sigval);
int sigaction(int, const struct sigaction *, struct sigaction *);
int sigprocmask(int, const sigset_t *, sigset_t *);
int sigpending(sigset_t *);
int sigsuspend(const sigset_t *);
int sigwait(const sigset_t *, int *);
int sigwaitinfo(const sigset_t *, siginfo_t *);
int sigtimedwait(const sigset_t *, siginfo_t *, const struct timespec *);
int sigaltstack(const stack_t *, stack_t *);
int siginterrupt(int, int);
int sigaddset(sigset_t *, int);
int sigdelset(sigset_t *, int);
int sigismember(const sigset_t *, int);
int sigfillset(sigset_t *);
int sigemptyset(sigset_t *);
#if __MISC_VISIBLE || __XSI_VISIBLE
int sighold(int);
int sigrelse(int);
int sigignore(int);
#endif
#if __GNU_VISIBLE
int tgkill(pid_t, pid_t, int);
#endif
__END_DECLS

#endif

#ifndef _SIGNAL_H_
#include <signal.h>     /* as in glibc, the two are one */
#endif

#endif
