/* calls.h: system calls by name, with POSIX's way of failing. */
#ifndef MOG_CALLS_H
#define MOG_CALLS_H

#include "linux.h"

#define CALL0(name) linux_result(linux_call(LINUX_##name, 0, 0, 0, 0))
#define CALL1(name, a) linux_result(linux_call(LINUX_##name, (int)(a), 0, 0, 0))
#define CALL2(name, a, b) linux_result(linux_call(LINUX_##name, (int)(a), (int)(b), 0, 0))
#define CALL3(name, a, b, c) linux_result(linux_call(LINUX_##name, (int)(a), (int)(b), (int)(c), 0))
#define CALL4(name, a, b, c, d) linux_result(linux_call(LINUX_##name, (int)(a), (int)(b), (int)(c), (int)(d)))
#define CALL6(name, a, b, c, d, e, f) linux_result(linux_call6(LINUX_##name, (int)(a), (int)(b), (int)(c), (int)(d), (int)(e), (int)(f)))

/* Where a thread that was cancelled ends, and takes signals that others sent it: threads/news.c, in programs that do so. */
int __mog_test_cancel(void) __attribute__((weak));
#define CANCELLATION_POINT() ((void)(__mog_test_cancel && __mog_test_cancel()))

/* How many threads run at the same time: processors.c. */
int __mog_processors(void);

#endif
