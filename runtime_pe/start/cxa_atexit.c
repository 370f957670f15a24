/* cxa_atexit.c: destructors of static objects, and of thread-local ones, also for the C++ library. */
#include <stdlib.h>

#include "guards.h"

/* The handle that __cxa_atexit gets; a program is one object. */
void *__dso_handle = 0;

/* newlib's own version, as we configure it, registers nothing unless the program uses
 * atexit; these two references bring in what does the work. */
extern int __register_exitproc(int kind, void (*function)(void), void *argument, void *object);
extern char __on_exit_args;
static const void *const exit_arguments __attribute__((used)) = &__on_exit_args;

int __cxa_atexit(void (*function)(void *), void *argument, void *object) {
    enum { WITH_ARGUMENT = 2 }; /* __et_cxa in newlib's atexit.h, which it keeps to itself */
    return __register_exitproc(WITH_ARGUMENT, (void (*)(void))function, argument, object);
}

/* By this name the C++ library knows it, as glibc's. A single thread ends with the program. */
int __cxa_thread_atexit_impl(void (*function)(void *), void *argument, void *object) {
    return __mog_thread_atexit ? __mog_thread_atexit(function, argument) : __cxa_atexit(function, argument, object);
}
