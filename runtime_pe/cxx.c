/* cxx.c: what g++'s code calls when there is no libstdc++: new and delete, pure virtual functions, guards of local statics. */
#include <stdlib.h>
#include <unistd.h>

/* The handle that __cxa_atexit gets; a program is one object. */
void *__dso_handle = 0;

/* operator new must not return null, and there are no exceptions. */
static void *allocate(size_t bytes) {
    void *memory = malloc(bytes ? bytes : 1);
    if (!memory) {
        static const char message[] = "operator new: out of memory\n";
        write(2, message, sizeof message - 1);
        abort();
    }
    return memory;
}

void *_Znwj(size_t bytes) { return allocate(bytes); }                   /* operator new(unsigned) */
void *_Znaj(size_t bytes) { return allocate(bytes); }                   /* operator new[](unsigned) */
void _ZdlPv(void *memory) { free(memory); }                             /* operator delete(void *) */
void _ZdaPv(void *memory) { free(memory); }                             /* operator delete[](void *) */
void _ZdlPvj(void *memory, size_t bytes) { (void)bytes, free(memory); }                    /* operator delete(void *, unsigned) */
void _ZdaPvj(void *memory, size_t bytes) { (void)bytes, free(memory); }                    /* operator delete[](void *, unsigned) */

void __cxa_pure_virtual(void) {
    static const char message[] = "pure virtual function called\n";
    write(2, message, sizeof message - 1);
    abort();
}

/* The first byte of a guard says that its static is initialised. There is one thread. */
int __cxa_guard_acquire(const char *guard) { return !*guard; }
void __cxa_guard_release(char *guard) { *guard = 1; }
void __cxa_guard_abort(char *guard) { (void)guard; }

/* Destructors of static objects. newlib's own version, as we configure it, registers nothing unless the program uses
 * atexit; these two references bring in what does the work. */
extern int __register_exitproc(int kind, void (*function)(void), void *argument, void *object);
extern char __on_exit_args;
static const void *const exit_arguments __attribute__((used)) = &__on_exit_args;

int __cxa_atexit(void (*function)(void *), void *argument, void *object) {
    enum { WITH_ARGUMENT = 2 };     /* __et_cxa in newlib's atexit.h, which it keeps to itself */
    return __register_exitproc(WITH_ARGUMENT, (void (*)(void))function, argument, object);
}
