/* sys/_pthreadtypes.h: the types of <pthread.h>, which <sys/types.h> has to have too. Words that threads wait on are Linux's futexes. */
#ifndef _SYS__PTHREADTYPES_H_
#define _SYS__PTHREADTYPES_H_

#define __need_size_t
#include <stddef.h>

typedef unsigned long pthread_t;
typedef unsigned pthread_key_t;
typedef int pthread_once_t; /* 0, or what once.c says */
typedef volatile int pthread_spinlock_t;

/* Robust mutexes that a thread holds are in its list. */
struct __mog_mutex {
    unsigned __word; /* the owner, and 0x80000000 if somebody waits */
    int __kind;      /* a type, and flags above it */
    int __again;     /* how often the owner has locked it once more */
    struct __mog_mutex *__next, **__link;
};
typedef struct __mog_mutex pthread_mutex_t;
typedef struct { int __kind; } pthread_mutexattr_t;

typedef struct {
    unsigned __state;   /* readers, or a writer; see rwlock.c */
    unsigned __writers; /* that wait */
    int __prefers_writers;
} pthread_rwlock_t;
typedef struct { int __prefers_writers; } pthread_rwlockattr_t;

typedef struct {
    unsigned __sequence; /* two more for each signal */
    unsigned __waiters;
    int __clock;
    pthread_mutex_t *__mutex;
} pthread_cond_t;
typedef struct { int __clock; } pthread_condattr_t;

typedef struct { unsigned __arrived, __round, __wanted, __inside; } pthread_barrier_t;
typedef struct { int __shared; } pthread_barrierattr_t;

typedef struct {
    int __detached, __inherits, __policy, __priority, __scope;
    size_t __stack, __guard;
    void *__memory; /* of the program; null: a stack is found for it */
} pthread_attr_t;

#endif
