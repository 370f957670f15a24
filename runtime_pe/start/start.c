/* start.c: from the startup block to main, and the way out through exit. */
#include <reent.h>
#include <stdlib.h>
#include <unistd.h>

#include "guards.h"
#include "runtime_pe/system/calls.h"

extern const unsigned __mog_limit;  /* of the control block: 0 outside of MOG */
extern char __mog_thread_pointer[]; /* mog.ld has it */

/* In threads/create.c, and there only if the program creates threads. */
extern void __mog_begin_threads(void) __attribute__((weak));

extern int main(int argc, char **argv, char **envp);
extern void __libc_init_array(void);
extern void __libc_fini_array(void);

extern char **environ; /* newlib has it */

const char *__mog_program; /* for program.h */

/* Makes stdin, stdout and stderr; absent from a program without stdio. newlib would do it at the first use of one of them, and
 * change what `stdout` is while the program may have kept it. */
extern void __sinit(struct _reent *) __attribute__((weak));

/* What atexit and __cxa_atexit have collected; absent from a program that uses neither. */
extern void __call_exitprocs(int status, void *object) __attribute__((weak));

/* __libc_init_array and __libc_fini_array call these two; all we have to do is in .init_array and .fini_array. */
void _init(void) {}
void _fini(void) {}

/* newlib's own exit, as we configure it, forgets .fini_array (functions with __attribute__((destructor))) unless every
 * program carries the whole of atexit. */
void exit(int status) {
    if (__mog_run_thread_exits) __mog_run_thread_exits();
    if (__call_exitprocs) __call_exitprocs(status, NULL);
    __libc_fini_array();
    if (_GLOBAL_REENT->__cleanup) /* set by stdio once it is used: writes out what is buffered */
        _GLOBAL_REENT->__cleanup(_GLOBAL_REENT);
    _exit(status);
}

/* `block` is what $sp pointed at: argc, argv[argc], 0, envp[], 0, auxv[]. */
_Noreturn void __mog_start(unsigned *block) {
    if (!__mog_limit) /* MOG knows it from the file */
        CALL1(set_thread_area, __mog_thread_pointer);
    int argc = (int)block[0];
    char **argv = (char **)(block + 1);
    __mog_program = argc ? argv[0] : "";
    environ = argv + argc + 1;
    if (__mog_begin_threads) __mog_begin_threads();
    if (__sinit) __sinit(_GLOBAL_REENT);
    __libc_init_array();
    exit(main(argc, argv, environ));
}
