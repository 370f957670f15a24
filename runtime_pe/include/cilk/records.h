/* records.h: how a spawn puts a task on top of its worker's, without a call. Files that are compiled with -fcilk include it before all else, and
 * so does Cilk's runtime, for what both know of a worker and of a task (runtime_pe/cilk/cilk.h says what it is for). */
#ifndef _CILK_RECORDS_H
#define _CILK_RECORDS_H

#if defined __cilk || defined MOG_CILK_RUNTIME

/* ROOM: bytes for arguments in a record. */
#define __MOG_CILK_ROOM 32
#define __MOG_CILK_TASK(view) \
    void (*function)(void *); \
    unsigned state; \
    int depth; \
    view *before, *after; /* what its parent did to reducers before it, since the last spawn, and what it did itself */ \
    /* Of arguments that are to be copied before the function is called, for what it spawns goes where they are; 0: it takes them from there at \
     * once. More than ROOM of all that takes the long way. */ \
    unsigned bytes; \
    char *elsewhere; /* arguments that have no room here */ \
    unsigned level;  /* how many spawned tasks it is inside of */ \
    char arguments[__MOG_CILK_ROOM] __attribute__((__aligned__(16)));
/* What a worker begins with. */
#define __MOG_CILK_WORKER(task, view) \
    task *head;      /* where the next task goes */ \
    task *limit;     /* where there is no room any more; at the beginning if all spawns have to take the long way */ \
    task *enough;    /* from here on, a spawn is a call, as long as nobody wants tasks; at the end of memory if none is to be */ \
    task *split;     /* below, others may take; at the end if all syncs have to take the long way */ \
    unsigned wanted; /* by somebody who has nothing to do */ \
    int offset;      /* depth = offset - stack pointer */ \
    view *views;     /* of the strand that runs */

/* The record on top is filled, but for arguments. Views are put aside: what the parent does to reducers from here on comes after what the child
 * does. A state of 0: the task waits. */
#define __MOG_CILK_FILL(own, task, function_, bytes_) \
    do { \
        int pointer_; \
        __asm__("move %0, $29" : "=r"(pointer_)); \
        (task)->function = (function_); \
        (task)->state = 0; \
        (task)->depth = (own)->offset - pointer_; \
        (task)->before = (own)->views; \
        (own)->views = 0; \
        (task)->bytes = (bytes_); \
        (own)->head = (task) + 1; \
    } while (0)

#ifdef __cilk
#ifdef __cplusplus
extern "C" {
#endif

struct __mog_cilk_task {
    __MOG_CILK_TASK(void)
};
struct __mog_cilk_worker {
    __MOG_CILK_WORKER(struct __mog_cilk_task, void)
};
extern __thread struct __mog_cilk_worker *__mog_cilk_self __attribute__((__tls_model__("local-exec")));
void __mog_cilk_publish(struct __mog_cilk_worker *);
void __mog_cilk_spawn_slowly(void (*)(void *), void *, void (*)(void *, void *), long, long);

/* Whether a spawn is to be a call: there are enough tasks for others to take, and nobody asks for more. What it calls spawns in its turn, where
 * somebody asks by then. */
static __inline__ __attribute__((__always_inline__, __unused__)) int __mog_cilk_has_enough(const struct __mog_cilk_worker *own) {
    return own->head >= own->enough && !__atomic_load_n(&own->wanted, __ATOMIC_RELAXED);
}
static __inline__ __attribute__((__always_inline__, __unused__)) int __mog_cilk_has_room(const struct __mog_cilk_worker *own, unsigned long bytes,
                                                                                        unsigned long alignment) {
    return __builtin_expect(own->head < own->limit, 1) && bytes <= __MOG_CILK_ROOM && alignment <= 16;
}
/* Where its arguments go; others may have the task once __mog_cilk_offer() has been called. */
static __inline__ __attribute__((__always_inline__, __unused__)) void *__mog_cilk_push(struct __mog_cilk_worker *own, void (*function)(void *),
                                                                                     unsigned bytes) {
    struct __mog_cilk_task *task = own->head;
    __MOG_CILK_FILL(own, task, function, bytes);
    return task->arguments;
}
static __inline__ __attribute__((__always_inline__, __unused__)) void __mog_cilk_offer(struct __mog_cilk_worker *own) {
    if (__builtin_expect(__atomic_load_n(&own->wanted, __ATOMIC_RELAXED), 0)) __mog_cilk_publish(own);
}

#ifdef __cplusplus
}
#endif
#endif

#endif
#endif
