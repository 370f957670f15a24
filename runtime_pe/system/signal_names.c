/* signal_names.c: what signals are called, in the words of Linux. */
#include <signal.h>
#include <stdio.h>
#include <string.h>

static const char *const names[NSIG] = {
    [SIGHUP] = "Hangup",
    [SIGINT] = "Interrupt",
    [SIGQUIT] = "Quit",
    [SIGILL] = "Illegal instruction",
    [SIGTRAP] = "Trace/breakpoint trap",
    [SIGABRT] = "Aborted",
    [SIGEMT] = "EMT trap",
    [SIGFPE] = "Floating point exception",
    [SIGKILL] = "Killed",
    [SIGBUS] = "Bus error",
    [SIGSEGV] = "Segmentation fault",
    [SIGSYS] = "Bad system call",
    [SIGPIPE] = "Broken pipe",
    [SIGALRM] = "Alarm clock",
    [SIGTERM] = "Terminated",
    [SIGUSR1] = "User defined signal 1",
    [SIGUSR2] = "User defined signal 2",
    [SIGCHLD] = "Child exited",
    [SIGPWR] = "Power failure",
    [SIGWINCH] = "Window changed",
    [SIGURG] = "Urgent I/O condition",
    [SIGIO] = "I/O possible",
    [SIGSTOP] = "Stopped (signal)",
    [SIGTSTP] = "Stopped",
    [SIGCONT] = "Continued",
    [SIGTTIN] = "Stopped (tty input)",
    [SIGTTOU] = "Stopped (tty output)",
    [SIGVTALRM] = "Virtual timer expired",
    [SIGPROF] = "Profiling timer expired",
    [SIGXCPU] = "CPU time limit exceeded",
    [SIGXFSZ] = "File size limit exceeded",
};

char *strsignal(int signal) {
    static char unknown[32];
    if (signal > 0 && signal < NSIG) return (char *)names[signal];
    snprintf(unknown, sizeof unknown, "Unknown signal %d", signal);
    return unknown;
}

void psignal(int signal, const char *text) {
    if (text && *text) fprintf(stderr, "%s: %s\n", text, strsignal(signal));
    else fprintf(stderr, "%s\n", strsignal(signal));
}
