/* signals.h: what signals.c and the threads say to each other of signals. */
#ifndef MOG_SIGNALS_H
#define MOG_SIGNALS_H

#include <signal.h>

/* Sent to the process, and not taken by any thread: changed by atomic operations. */
extern sigset_t __mog_process_pending;
/* Of the caller, which others read: what it blocks, and what it waits for in sigwait(). */
sigset_t *__mog_blocked_signals(void);
sigset_t *__mog_awaited_signals(void);

/* process_signals.c has these, in programs that signal the process: where a signal comes from, and a look for somebody who takes signals.
 */
struct signal_details {
    int code;
    union sigval value;
};
extern struct signal_details __mog_signal_details[NSIG] __attribute__((weak));
void __mog_offer_signals(sigset_t which) __attribute__((weak));

#endif
