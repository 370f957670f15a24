/* cxx.c: what g++'s code calls, for objects of C++ that are linked without its library (-fno-exceptions -fno-rtti): new and delete, pure
 * virtual functions, guards of local statics. None of it may be taken beside the library, which has it all, so what both need stands
 * elsewhere. */
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "guards.h"

/* operator new must not return null, and there are no exceptions. */
static void *checked(void *memory) {
    if (!memory) {
        static const char message[] = "operator new: out of memory\n";
        write(2, message, sizeof message - 1);
        abort();
    }
    return memory;
}

static void *allocate(size_t bytes) { return checked(malloc(bytes ? bytes : 1)); }

void *_Znwj(size_t bytes) { return allocate(bytes); }                   /* operator new(unsigned) */
void *_Znaj(size_t bytes) { return allocate(bytes); }                   /* operator new[](unsigned) */
void _ZdlPv(void *memory) { free(memory); }                             /* operator delete(void *) */
void _ZdaPv(void *memory) { free(memory); }                             /* operator delete[](void *) */
void _ZdlPvj(void *memory, size_t bytes) { (void)bytes, free(memory); } /* operator delete(void *, unsigned) */
void _ZdaPvj(void *memory, size_t bytes) { (void)bytes, free(memory); } /* operator delete[](void *, unsigned) */

/* The forms that may return null, and those for types with large alignments. */
const char std_nothrow __asm__("_ZSt7nothrow");
const char std_nothrow;
void *_ZnwjRKSt9nothrow_t(size_t bytes, const void *tag) { return (void)tag, malloc(bytes ? bytes : 1); }
void *_ZnajRKSt9nothrow_t(size_t bytes, const void *tag) { return (void)tag, malloc(bytes ? bytes : 1); }
void _ZdlPvRKSt9nothrow_t(void *memory, const void *tag) { (void)tag, free(memory); }
void _ZdaPvRKSt9nothrow_t(void *memory, const void *tag) { (void)tag, free(memory); }
void *_ZnwjSt11align_val_t(size_t bytes, size_t alignment) { return checked(memalign(alignment, bytes ? bytes : 1)); }
void *_ZnajSt11align_val_t(size_t bytes, size_t alignment) { return checked(memalign(alignment, bytes ? bytes : 1)); }
void _ZdlPvSt11align_val_t(void *memory, size_t alignment) { (void)alignment, free(memory); }
void _ZdaPvSt11align_val_t(void *memory, size_t alignment) { (void)alignment, free(memory); }
void _ZdlPvjSt11align_val_t(void *memory, size_t bytes, size_t alignment) { (void)bytes, (void)alignment, free(memory); }
void _ZdaPvjSt11align_val_t(void *memory, size_t bytes, size_t alignment) { (void)bytes, (void)alignment, free(memory); }

/* What templates in g++'s headers call where they would throw. */
static _Noreturn void thrown(const char *what) {
    write(2, "C++ exception: ", 15);
    write(2, what, strlen(what));
    write(2, "\n", 1);
    abort();
}
void _ZSt17__throw_bad_allocv(void) { thrown("bad_alloc"); }
void _ZSt28__throw_bad_array_new_lengthv(void) { thrown("bad_array_new_length"); }
void _ZSt25__throw_bad_function_callv(void) { thrown("bad_function_call"); }
void _ZSt19__throw_logic_errorPKc(const char *what) { thrown(what); }
void _ZSt20__throw_length_errorPKc(const char *what) { thrown(what); }
void _ZSt20__throw_out_of_rangePKc(const char *what) { thrown(what); }
void _ZSt24__throw_out_of_range_fmtPKcz(const char *format, ...) { thrown(format); }
void _ZSt24__throw_invalid_argumentPKc(const char *what) { thrown(what); }

void __cxa_pure_virtual(void) {
    static const char message[] = "pure virtual function called\n";
    write(2, message, sizeof message - 1);
    abort();
}

/* The first byte of a guard says that its static is initialised. */
int __cxa_guard_acquire(char *guard) { return __mog_guard_acquire ? __mog_guard_acquire(guard) : !*guard; }
void __cxa_guard_release(char *guard) {
    if (__mog_guard_release) __mog_guard_release(guard, 1);
    else *guard = 1;
}
void __cxa_guard_abort(char *guard) {
    if (__mog_guard_release) __mog_guard_release(guard, 0);
}

int __cxa_thread_atexit(void (*function)(void *), void *argument, void *object) {
    return __cxa_thread_atexit_impl(function, argument, object);
}
