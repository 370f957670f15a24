/* thread.h: what the library keeps of each thread, words that threads wait on, and locks made of them. */
#ifndef MOG_THREAD_H
#define MOG_THREAD_H

#include <errno.h>
#include <pthread.h>
#include <reent.h>
#include <stdint.h>
#include <sys/lock.h>
#include <time.h>

#include "runtime_pe/system/calls.h"

/* Malloc keeps short pieces for each thread, by their size in steps of 8 bytes: heap.c. */
enum { HEAP_BINS = 34 };

enum thread_state { THREAD_JOINABLE, THREAD_DETACHED, THREAD_ENDED };

/* A thread's own is thread-local: the main thread's is the variable itself. */
struct thread {
    unsigned id;    /* 1: the main thread, for which no system call is needed to learn it; else its number in Linux */
    int alive;      /* Linux sets it to 0 when the thread's stack is not needed any more */
    unsigned ended; /* bits: to wake who waits, 2 once the result is there, 4 if somebody waits for it */
    int state;
    void *(*start)(void *);
    void *argument, *result;
    char *block; /* what was mapped for it, with the stack at its beginning; null: the program's, or the main thread */
    size_t block_bytes;
    void *stack;
    struct thread *next; /* among those that ended */

    struct __mog_cleanup *cleanup;
    struct thread_exit *exits;  /* destructors of C++'s thread-local objects */
    const void **values;        /* of keys */
    struct __mog_mutex *robust; /* mutexes that it holds */

    int cancel_state, cancel_type;
    unsigned news;      /* NEWS_CANCELLED, NEWS_SIGNALS: from other threads */
    int library_locks;  /* that it holds: no point of cancellation then */
    unsigned *waits_on; /* while it waits where it can be cancelled; whoever wakes it has `waker` */
    unsigned waker;
    sigset_t signals;                            /* that others have sent it */
    struct thread *living_before, *living_after; /* process_signals.c */
    char name[16];
    struct _reent reent;
    void *bins[HEAP_BINS];
    unsigned char binned[HEAP_BINS];
};
extern _Thread_local struct thread __mog_self;
/* Makes it the main thread's: self.c. */
void __mog_begin_self(void);

/* Another thread's instance of a variable of which the caller's is at `own`. */
static inline void *in_thread(const struct thread *thread, const void *own) {
    return (char *)thread + ((const char *)own - (const char *)&__mog_self);
}

/* Which signals the caller blocks: signals.c, if the program has anything to do with signals. */
sigset_t *__mog_blocked_signals(void) __attribute__((weak));

enum { NEWS_CANCELLED = 1, NEWS_SIGNALS = 2 };
void __mog_send_news(struct thread *thread, unsigned news);
/* process_signals.c: who could take a signal that is for the process. */
void __mog_enlist(struct thread *thread) __attribute__((weak));
void __mog_delist(struct thread *thread) __attribute__((weak));

#define THREAD_WAITERS 0x80000000u
#define ATOMIC_LOAD(place) __atomic_load_n((place), __ATOMIC_ACQUIRE)
/* For those who look again and again at what others change: a look orders nothing, which would cost each of them a fence. Who has seen what
 * it waited for has acquired() before it uses what was written before that. */
#define ATOMIC_LOOK(place) __atomic_load_n((place), __ATOMIC_RELAXED)
static inline void acquired(void) {
    /* sync_acquire, for which gcc would write the `sync` that stores wait for, too. */
    __asm__ volatile(".set push\n\t.set mips32r2\n\tsync 0x11\n\t.set pop" ::: "memory");
}
#define ATOMIC_STORE(place, value) __atomic_store_n((place), (value), __ATOMIC_RELEASE)

static inline int has_ended(const struct thread *thread) { return ATOMIC_LOAD(&thread->ended) & 2; }

static inline int compare_and_swap(unsigned *place, unsigned expected, unsigned wanted) {
    return __atomic_compare_exchange_n(place, &expected, wanted, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
}

/* MIPS's `pause`: others of the processor go first. */
static inline void relax(void) { __asm__ volatile(".set push\n\t.set noreorder\n\tsll $0, $0, 5\n\t.set pop" ::: "memory"); }
enum { SPINS = 40 };

/* An end of waiting: `time` is absolute. Null: none. */
struct deadline {
    clockid_t clock;
    const struct timespec *time;
};

/* Sleeps while *word is `value`, and may wake for no reason. 0, or an error: ETIMEDOUT, EINVAL; EDEADLK in a program that creates no
 * threads. */
int __mog_wait_on(const unsigned *word, unsigned value, const struct deadline *until);
/* The same where the thread can be cancelled: EINTR if there is a signal or a cancellation to see to. Whoever has one changes the lowest
 * bit of the word. */
int __mog_wait_cancellable(unsigned *word, unsigned value, const struct deadline *until);
static inline int __mog_wake(const unsigned *word, int count) {
    return linux_call(LINUX_futex, (int)word, LINUX_FUTEX_WAKE | LINUX_FUTEX_PRIVATE_FLAG, count, 0);
}
int __mog_valid_time(const struct timespec *time);
static inline int is_clock_to_wait_by(clockid_t clock) { return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC; }

/* A word that is 0, or its owner's id with THREAD_WAITERS if somebody waits. 0, or an error as of __mog_wait_on. */
int __mog_lock_slowly(unsigned *word, unsigned me, const struct deadline *until);
static inline int lock_word_for(unsigned *word, unsigned me, const struct deadline *until) {
    return compare_and_swap(word, 0, me) ? 0 : __mog_lock_slowly(word, me, until);
}
static inline int lock_word(unsigned *word, const struct deadline *until) { return lock_word_for(word, __mog_self.id, until); }
/* For words that threads of several PEs lock: an id that no other of them has. */
unsigned __mog_number_among_all(void);
static inline void unlock_word(unsigned *word) {
    if (__atomic_exchange_n(word, 0, __ATOMIC_RELEASE) & THREAD_WAITERS) __mog_wake(word, 1);
}

/* In news.c, which only programs have that cancel threads or send signals. Ends the thread if it is cancelled, and takes its signals:
 * whether a handler could see one, which was not blocked. */
int __mog_test_cancel(void) __attribute__((weak));
/* Something to see to now: not while the thread refuses cancellations, or has a lock of the library. */
static inline int has_news(void) {
    if (!__mog_test_cancel || __mog_self.library_locks) return 0;
    return ATOMIC_LOAD(&__mog_self.news) &
           (__mog_self.cancel_state == PTHREAD_CANCEL_ENABLE ? NEWS_SIGNALS | NEWS_CANCELLED : NEWS_SIGNALS);
}
static inline int cancellation_point(void) { return has_news() && __mog_test_cancel(); }

/* The stack of a thread whose attributes do not say: attributes.c. */
size_t __mog_usual_stack(void);
enum { LEAST_USUAL_STACK = 16 << 10, MOST_USUAL_STACK = 256 << 10 };
/* Threads that have not ended: create.c, which all have that create some. */
unsigned __mog_count_threads(unsigned more) __attribute__((weak));
/* Stacks that this library has found and that are not free again: create.c. */
unsigned __mog_count_stacks(void) __attribute__((weak));

/* The end of a thread, with all that is done then: create.c. */
_Noreturn void __mog_end_thread(void *result);

/* At a thread's end, from those parts of the library that the program has. */
void __mog_run_destructors(struct thread *self) __attribute__((weak)); /* keys.c */
void __mog_leave_robust(struct thread *self) __attribute__((weak));    /* mutex.c */
void __mog_empty_bins(struct thread *self);                            /* heap.c, which all have that create threads */

/* Lock of a mutex after a condition: as the others, but who unlocks it must wake. */
int __mog_lock_again(pthread_mutex_t *mutex);

#endif
