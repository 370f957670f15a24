/* Signals that a program sends to itself: handlers, masks, what is pending, longjmp out of a handler, abort. */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int again;
static void handler(int signal) {
    printf("handler of %s\n", strsignal(signal));
    if (signal == SIGUSR1 && again-- > 0) {
        raise(SIGUSR1); /* held back until this one is over */
        raise(SIGUSR2);
        puts("end of it");
    }
}

static void with_info(int signal, siginfo_t *info, void *context) {
    (void)context;
    printf("info %d %d %d\n", signal == info->si_signo, info->si_pid == getpid(), info->si_uid == getuid());
}

static sigjmp_buf place;
static void jumper(int signal) { siglongjmp(place, signal); }

static jmp_buf out_of_abort;
static void on_abort(int signal) { longjmp(out_of_abort, signal); }
static void on_abort_again(int signal) {
    printf("aborting, %d\n", signal == SIGABRT);
    fflush(stdout);
    _exit(42);
}

static void show(const char *what, long result) {
    if (result < 0)
        printf("%s: %s\n", what, strerror(errno));
    else
        printf("%s: %ld\n", what, result);
}

int main(void) {
    struct sigaction action, old;
    memset(&action, 0, sizeof action);
    show("signal", signal(SIGUSR2, handler) == SIG_DFL);
    show("signal again", signal(SIGUSR2, handler) == handler);
    raise(SIGUSR2);
    raise(SIGUSR2); /* the handler stays */
    action.sa_handler = handler;
    sigemptyset(&action.sa_mask);
    sigaddset(&action.sa_mask, SIGUSR2);
    show("sigaction", sigaction(SIGUSR1, &action, NULL));
    again = 1;
    raise(SIGUSR1);
    raise(SIGUSR1);
    show("old", sigaction(SIGUSR1, NULL, &old));
    show("same", old.sa_handler == handler && sigismember(&old.sa_mask, SIGUSR2) == 1);

    action.sa_sigaction = with_info;
    action.sa_flags = SA_SIGINFO | SA_RESETHAND;
    show("sigaction", sigaction(SIGTERM, &action, NULL));
    show("kill", kill(getpid(), SIGTERM));
    sigaction(SIGTERM, NULL, &old);
    show("reset", old.sa_handler == SIG_DFL);

    sigset_t set, before, waiting;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    sigaddset(&set, SIGHUP);
    show("block", sigprocmask(SIG_BLOCK, &set, &before));
    show("before", sigismember(&before, SIGUSR2));
    show("raise", raise(SIGUSR2));
    show("pending", sigpending(&waiting));
    show("pending", sigismember(&waiting, SIGUSR2) + 2 * sigismember(&waiting, SIGHUP));
    show("unblock", sigprocmask(SIG_UNBLOCK, &set, NULL));
    sigpending(&waiting);
    show("pending", sigismember(&waiting, SIGUSR2));
    sigprocmask(SIG_BLOCK, &set, NULL);
    raise(SIGUSR2);
    sigemptyset(&set);
    show("sigsuspend", sigsuspend(&set));
    sigaddset(&set, SIGUSR2);
    raise(SIGUSR2);
    int got = 0;
    show("sigwait", sigwait(&set, &got));
    show("got", got == SIGUSR2);
    sigprocmask(SIG_SETMASK, &before, NULL);

    show("ignore", signal(SIGINT, SIG_IGN) == SIG_DFL);
    show("raise", raise(SIGINT));
    show("harmless", raise(SIGCHLD) | raise(SIGURG) | raise(SIGWINCH) | raise(SIGCONT));
    show("raise of nonsense", raise(12345));
    show("signal of nonsense", signal(12345, handler) == SIG_ERR && errno == EINVAL);
    show("SIGKILL", signal(SIGKILL, handler) == SIG_ERR && errno == EINVAL);
    show("kill 0", kill(getpid(), 0));
    show("another process", kill(0x3ffffff0, SIGTERM) < 0);

    signal(SIGFPE, jumper);
    volatile int tries = 0;
    int code = sigsetjmp(place, 1);
    printf("sigsetjmp %d\n", code == SIGFPE ? 1 : code);
    if (tries++ < 3) raise(SIGFPE);
    sigprocmask(SIG_SETMASK, NULL, &set);
    show("mask restored", sigismember(&set, SIGFPE));

    signal(SIGABRT, on_abort);
    if (setjmp(out_of_abort) == 0)
        abort();
    puts("out of abort");
    sigemptyset(&set);
    sigaddset(&set, SIGABRT);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    for (int i = 1; i < 18; i++) printf("%s\n", strsignal(i));
    signal(SIGABRT, on_abort_again);
    fflush(stdout);
    abort();
}
