/* rwlock.c: many read or one writes. Readers go first unless the lock prefers writers: then none comes in while a writer waits. */
#include "thread.h"

/* In __state: how many read, or WRITER; and whether somebody waits. */
#define WRITER 0x7fffffffu
#define COUNT(state) ((state) & ~THREAD_WAITERS)

/* In attributes, beside whether writers go first: PEs share it. */
enum { SHARED = 0x100 };
int pthread_rwlockattr_init(pthread_rwlockattr_t *attributes) { return attributes->__prefers_writers = 0, 0; }
int pthread_rwlockattr_destroy(pthread_rwlockattr_t *attributes) { return (void)attributes, 0; }
int pthread_rwlockattr_setpshared(pthread_rwlockattr_t *attributes, int shared) {
    if (shared != PTHREAD_PROCESS_PRIVATE && shared != PTHREAD_PROCESS_SHARED) return EINVAL;
    attributes->__prefers_writers = (attributes->__prefers_writers & ~SHARED) | (shared == PTHREAD_PROCESS_SHARED ? SHARED : 0);
    return 0;
}
int pthread_rwlockattr_getpshared(const pthread_rwlockattr_t *restrict attributes, int *restrict shared) {
    *shared = attributes->__prefers_writers & SHARED ? PTHREAD_PROCESS_SHARED : PTHREAD_PROCESS_PRIVATE;
    return 0;
}
int pthread_rwlockattr_setkind_np(pthread_rwlockattr_t *attributes, int kind) {
    if (kind < 0 || kind > PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP) return EINVAL;
    attributes->__prefers_writers = (attributes->__prefers_writers & SHARED) | kind;
    return 0;
}
int pthread_rwlockattr_getkind_np(const pthread_rwlockattr_t *restrict attributes, int *restrict kind) {
    return *kind = attributes->__prefers_writers & ~SHARED, 0;
}

int pthread_rwlock_init(pthread_rwlock_t *restrict lock, const pthread_rwlockattr_t *restrict attributes) {
    *lock = (pthread_rwlock_t)PTHREAD_RWLOCK_INITIALIZER;
    /* As in glibc, readers may lock once more what they have, but where it is said that none does. */
    lock->__prefers_writers = attributes && (attributes->__prefers_writers & ~SHARED) == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP;
    return 0;
}
int pthread_rwlock_destroy(pthread_rwlock_t *lock) { return COUNT(ATOMIC_LOAD(&lock->__state)) ? EBUSY : 0; }

static int admits_reader(const pthread_rwlock_t *lock, unsigned state) {
    return COUNT(state) < WRITER - 1 && !(lock->__prefers_writers && ATOMIC_LOAD(&lock->__writers));
}

int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock) {
    for (unsigned state; admits_reader(lock, state = ATOMIC_LOAD(&lock->__state));)
        if (compare_and_swap(&lock->__state, state, state + 1)) return 0;
    return EBUSY;
}

int pthread_rwlock_trywrlock(pthread_rwlock_t *lock) {
    for (unsigned state; !COUNT(state = ATOMIC_LOAD(&lock->__state));)
        if (compare_and_swap(&lock->__state, state, state | WRITER)) return 0;
    return EBUSY;
}

static int lock_until(pthread_rwlock_t *lock, int (*try)(pthread_rwlock_t *), const struct deadline *until) {
    int error = 0;
    for (int spins = 0; try(lock);) {
        unsigned state = ATOMIC_LOAD(&lock->__state);
        if (!(state & THREAD_WAITERS) && spins++ < SPINS) {
            relax();
            continue;
        }
        /* A writer that waits shuts out readers: it is in the state that they wait for. */
        if (!COUNT(state)) {
            if (lock->__prefers_writers && ATOMIC_LOAD(&lock->__writers)) relax();
            continue;
        }
        if (!(state & THREAD_WAITERS) && !compare_and_swap(&lock->__state, state, state | THREAD_WAITERS)) continue;
        if ((error = __mog_wait_on(&lock->__state, state | THREAD_WAITERS, until))) break;
    }
    return error;
}
static int lock_writing(pthread_rwlock_t *lock, const struct deadline *until) {
    if (!pthread_rwlock_trywrlock(lock)) return 0;
    __atomic_fetch_add(&lock->__writers, 1, __ATOMIC_SEQ_CST);
    int error = lock_until(lock, pthread_rwlock_trywrlock, until);
    __atomic_fetch_sub(&lock->__writers, 1, __ATOMIC_SEQ_CST);
    /* Readers that were shut out for nothing. */
    if (error && lock->__prefers_writers) __mog_wake(&lock->__state, INT32_MAX);
    return error;
}

int pthread_rwlock_rdlock(pthread_rwlock_t *lock) { return lock_until(lock, pthread_rwlock_tryrdlock, NULL); }
int pthread_rwlock_wrlock(pthread_rwlock_t *lock) { return lock_writing(lock, NULL); }
int pthread_rwlock_clockrdlock(pthread_rwlock_t *restrict lock, clockid_t clock, const struct timespec *restrict until) {
    if (!is_clock_to_wait_by(clock)) return EINVAL;
    return lock_until(lock, pthread_rwlock_tryrdlock, &(struct deadline){clock, until});
}
int pthread_rwlock_clockwrlock(pthread_rwlock_t *restrict lock, clockid_t clock, const struct timespec *restrict until) {
    if (!is_clock_to_wait_by(clock)) return EINVAL;
    return lock_writing(lock, &(struct deadline){clock, until});
}
int pthread_rwlock_timedrdlock(pthread_rwlock_t *restrict lock, const struct timespec *restrict until) {
    return pthread_rwlock_clockrdlock(lock, CLOCK_REALTIME, until);
}
int pthread_rwlock_timedwrlock(pthread_rwlock_t *restrict lock, const struct timespec *restrict until) {
    return pthread_rwlock_clockwrlock(lock, CLOCK_REALTIME, until);
}

int pthread_rwlock_unlock(pthread_rwlock_t *lock) {
    unsigned state, left;
    do {
        state = ATOMIC_LOAD(&lock->__state);
        if (!COUNT(state)) return EPERM;
        left = COUNT(state) == WRITER || COUNT(state) == 1 ? 0 : state - 1;
    } while (!compare_and_swap(&lock->__state, state, left));
    if (!left && state & THREAD_WAITERS) __mog_wake(&lock->__state, INT32_MAX);
    return 0;
}
