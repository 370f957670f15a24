/* abort.c: the end by SIGABRT, whatever the program has done to that signal. Programs without handlers stay without
 * signals.c. */
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "runtime_pe/system/linux.h"

extern int raise(int) __attribute__((weak));
extern _sig_func_ptr signal(int, _sig_func_ptr) __attribute__((weak));
extern int sigprocmask(int, const sigset_t *, sigset_t *) __attribute__((weak));

void abort(void) {
    if (raise) {
        sigset_t only = 1ul << SIGABRT;
        sigprocmask(SIG_UNBLOCK, &only, NULL);
        raise(SIGABRT);
    }
    for (;;) linux_call(LINUX_kill, linux_call(LINUX_getpid, 0, 0, 0, 0), SIGABRT, 0, 0);
}
