/* attributes.c: of threads. Stacks have sizes; priorities and kinds of scheduling are kept and change nothing. */
#include <sched.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "thread.h"

/* The more threads there are, the less each new one has, unless the program says what it wants: as much as may be had so often that all of
 * it is an eighth of the memory, or else half as much, and so on. So thousands find room, and a few have long stacks. */
enum { MOST_STACKS = 128 << 20 };
static size_t default_stack; /* what the program said; 0: nothing */
static size_t of_a_length;
size_t __mog_usual_stack(void) {
    const size_t said = ATOMIC_LOAD(&default_stack);
    if (said) return said;
    size_t all = ATOMIC_LOAD(&of_a_length);
    if (!all) {
        struct rlimit limit;
        all = getrlimit(RLIMIT_DATA, &limit) == 0 && limit.rlim_cur / 8 < MOST_STACKS ? limit.rlim_cur / 8 : MOST_STACKS;
        ATOMIC_STORE(&of_a_length, all);
    }
    const unsigned stacks = __mog_count_stacks ? __mog_count_stacks() + 1 : 1;
    size_t bytes = MOST_USUAL_STACK;
    while (bytes > LEAST_USUAL_STACK && (unsigned long long)bytes * stacks > all) bytes /= 2;
    return bytes;
}
static size_t stack_of(const pthread_attr_t *attributes) { return attributes->__stack ? attributes->__stack : __mog_usual_stack(); }

static int keep(int *place, int value, int most) {
    if (value < 0 || value > most) return EINVAL;
    *place = value;
    return 0;
}

int pthread_attr_init(pthread_attr_t *attributes) {
    *attributes = (pthread_attr_t){.__guard = 4096 /* a page, as POSIX says, though there are none */};
    return 0;
}
int pthread_attr_destroy(pthread_attr_t *attributes) { return (void)attributes, 0; }
int pthread_attr_setdetachstate(pthread_attr_t *attributes, int state) {
    return keep(&attributes->__detached, state, PTHREAD_CREATE_DETACHED);
}
int pthread_attr_getdetachstate(const pthread_attr_t *attributes, int *state) { return *state = attributes->__detached, 0; }
int pthread_attr_setstacksize(pthread_attr_t *attributes, size_t bytes) {
    if (bytes < PTHREAD_STACK_MIN) return EINVAL;
    attributes->__stack = bytes;
    return 0;
}
int pthread_attr_getstacksize(const pthread_attr_t *restrict attributes, size_t *restrict bytes) {
    return *bytes = stack_of(attributes), 0;
}
int pthread_attr_setstack(pthread_attr_t *attributes, void *memory, size_t bytes) {
    if (bytes < PTHREAD_STACK_MIN || !memory) return EINVAL;
    attributes->__memory = memory;
    attributes->__stack = bytes;
    return 0;
}
int pthread_attr_getstack(const pthread_attr_t *restrict attributes, void **restrict memory, size_t *restrict bytes) {
    *memory = attributes->__memory;
    *bytes = stack_of(attributes);
    return 0;
}
int pthread_attr_setguardsize(pthread_attr_t *attributes, size_t bytes) { return attributes->__guard = bytes, 0; }
int pthread_attr_getguardsize(const pthread_attr_t *restrict attributes, size_t *restrict bytes) { return *bytes = attributes->__guard, 0; }
int pthread_attr_setinheritsched(pthread_attr_t *attributes, int inherits) {
    return keep(&attributes->__inherits, inherits, PTHREAD_EXPLICIT_SCHED);
}
int pthread_attr_getinheritsched(const pthread_attr_t *restrict attributes, int *restrict inherits) {
    return *inherits = attributes->__inherits, 0;
}
int pthread_attr_setschedpolicy(pthread_attr_t *attributes, int policy) { return keep(&attributes->__policy, policy, SCHED_RR); }
int pthread_attr_getschedpolicy(const pthread_attr_t *restrict attributes, int *restrict policy) {
    return *policy = attributes->__policy, 0;
}
int pthread_attr_setschedparam(pthread_attr_t *restrict attributes, const struct sched_param *restrict parameters) {
    return keep(&attributes->__priority, parameters->sched_priority, 99);
}
int pthread_attr_getschedparam(const pthread_attr_t *restrict attributes, struct sched_param *restrict parameters) {
    parameters->sched_priority = attributes->__priority;
    return 0;
}
int pthread_attr_setscope(pthread_attr_t *attributes, int scope) {
    return scope == PTHREAD_SCOPE_PROCESS ? ENOTSUP : keep(&attributes->__scope, scope, PTHREAD_SCOPE_SYSTEM);
}
int pthread_attr_getscope(const pthread_attr_t *restrict attributes, int *restrict scope) { return *scope = attributes->__scope, 0; }

int pthread_getattr_default_np(pthread_attr_t *attributes) { return pthread_attr_init(attributes); }
int pthread_setattr_default_np(const pthread_attr_t *attributes) {
    if (attributes->__memory || (attributes->__stack && attributes->__stack < PTHREAD_STACK_MIN)) return EINVAL;
    if (attributes->__stack) ATOMIC_STORE(&default_stack, attributes->__stack);
    return 0;
}

int pthread_getattr_np(pthread_t number, pthread_attr_t *attributes) {
    const struct thread *thread = (struct thread *)number;
    pthread_attr_init(attributes);
    attributes->__detached = ATOMIC_LOAD(&thread->state) == THREAD_DETACHED;
    attributes->__memory = thread->stack;
    attributes->__stack = thread->block_bytes;
    if (!thread->stack) { /* the main thread's ends above its arguments */
        struct rlimit limit;
        const uintptr_t end = ((uintptr_t)environ + 4095) & ~(uintptr_t)4095;
        if (getrlimit(RLIMIT_STACK, &limit) < 0) return errno;
        attributes->__stack = limit.rlim_cur < end / 2 ? limit.rlim_cur : end / 2;
        attributes->__memory = (void *)(end - attributes->__stack);
    }
    return 0;
}
