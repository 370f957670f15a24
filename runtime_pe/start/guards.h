/* guards.h: objects of C++ that are made once, or for each thread, where a program has threads: threads/library_lock.c and create.c. */
#ifndef MOG_GUARDS_H
#define MOG_GUARDS_H

int __mog_guard_acquire(char *guard) __attribute__((weak));
void __mog_guard_release(char *guard, int made) __attribute__((weak));
int __mog_thread_atexit(void (*function)(void *), void *argument) __attribute__((weak));
void __mog_run_thread_exits(void) __attribute__((weak)); /* of the thread that calls */

/* Of cxa_atexit.c. */
int __cxa_thread_atexit_impl(void (*function)(void *), void *argument, void *object);

#endif
