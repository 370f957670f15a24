/* memory.c: the heap's growth, done by the PE itself, and what C++ programs need of memory. */
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "linux.h"

/* The control block, crt0.S. */
extern volatile uintptr_t __mog_brk, __mog_limit, __mog_lowest_mapping, __mog_brk_most;
extern char _end[];

/* What must stay free between the heap and the stack for a growth of the heap to be granted. */
enum { STACK_RESERVE = 4096 };

/* Linux's break: moves it, and returns where it is then; 0 asks only. */
static uintptr_t linux_break(uintptr_t wanted) { return (uintptr_t)linux_call(LINUX_brk, (int)wanted, 0, 0, 0); }

/* Under MOG the break is the control block's and no system call is needed while there is room. Elsewhere (LIMIT is 0) Linux has it, and
 * need not begin at _end. */
void *sbrk(ptrdiff_t bytes) {
    static uintptr_t lowest = (uintptr_t)_end;
    if (!__mog_limit && lowest == (uintptr_t)_end) lowest = __mog_brk = (linux_break(0) + 7) & ~(uintptr_t)7;
    uintptr_t old = __mog_brk;
    uintptr_t wanted = (old + (uintptr_t)bytes + 7) & ~(uintptr_t)7; /* malloc aligns to 8 */
    /* Stacks of threads are mappings, which are below the main thread's. */
    uintptr_t stack = __mog_lowest_mapping ? __mog_lowest_mapping : (uintptr_t)__builtin_frame_address(0);
    int wraps = bytes < 0 ? wanted > old : wanted < old;
    int granted = !wraps && wanted >= lowest;
    if (granted && __mog_limit) granted = wanted + STACK_RESERVE <= stack;
    else if (granted) granted = linux_break(wanted) == wanted;
    if (!granted) {
        /* With what must stay free, Linux's break is refused as well; whoever runs the program is told once what it lacks. */
        static int told;
        if (__mog_limit && bytes > 0 && !told) {
            told = 1;
            linux_break(wraps ? UINTPTR_MAX : wanted + STACK_RESERVE);
        }
        errno = ENOMEM;
        return (void *)-1;
    }
    __mog_brk = wanted;
    if (wanted > __mog_brk_most) __mog_brk_most = wanted; /* malloc gives back what it does not need; mogrun --stats tells what it had */
    return (void *)old;
}

int posix_memalign(void **result, size_t alignment, size_t bytes) {
    if (alignment < sizeof(void *) || (alignment & (alignment - 1)) != 0) return EINVAL;
    void *memory = memalign(alignment, bytes);
    if (!memory) return ENOMEM;
    *result = memory;
    return 0;
}
