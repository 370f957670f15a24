/* sys/_pthreadtypes.h: the types of <pthread.h>, which <sys/types.h> has to have too. */
#ifndef _SYS__PTHREADTYPES_H_
#define _SYS__PTHREADTYPES_H_

#define __need_size_t
#include <stddef.h>
#include <sys/_threads.h>

typedef __mog_thread pthread_t;
typedef __mog_thread_key pthread_key_t;
typedef __mog_once pthread_once_t;
typedef volatile int pthread_spinlock_t;

typedef struct __mog_mutex pthread_mutex_t;
typedef struct { int __kind; } pthread_mutexattr_t;

typedef struct {
    unsigned __state;   /* readers, or a writer; see rwlock.c */
    unsigned __writers; /* that wait */
    int __prefers_writers;
} pthread_rwlock_t;
typedef struct { int __prefers_writers; } pthread_rwlockattr_t;

typedef struct __mog_condition pthread_cond_t;
typedef struct { int __clock; } pthread_condattr_t;

typedef struct { unsigned __arrived, __round, __wanted, __inside; } pthread_barrier_t;
typedef struct { int __shared; } pthread_barrierattr_t;

typedef struct {
    int __detached, __inherits, __policy, __priority, __scope;
    size_t __stack, __guard;
    void *__memory; /* of the program; null: a stack is found for it */
} pthread_attr_t;

#endif
