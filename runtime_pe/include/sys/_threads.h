/* sys/_threads.h: what <pthread.h> and <threads.h> have in common, by reserved names. Words that threads wait on are Linux's futexes. */
#ifndef _SYS__THREADS_H_
#define _SYS__THREADS_H_

typedef unsigned long __mog_thread;
typedef unsigned __mog_thread_key;
typedef int __mog_once; /* 0, or what once.c says */

/* Robust mutexes that a thread holds are in its list. */
struct __mog_mutex {
    unsigned __word; /* the owner, and 0x80000000 if somebody waits */
    int __kind;      /* a type, and flags above it */
    int __again;     /* how often the owner has locked it once more */
    struct __mog_mutex *__next, **__link;
};

struct __mog_condition {
    unsigned __sequence; /* two more for each signal */
    unsigned __waiters;
    int __clock;
    struct __mog_mutex *__mutex;
};

#endif
