/* mutex.c: mutexes of all types. The word has the owner, so that types differ only in what they ask of it. */
#include "thread.h"

/* In __kind: a type, and what else the attributes say. */
enum {
    TYPE = 3,
    ROBUST = 4,
    SHARED = 8,
    PROTOCOL = 16, /* two bits */
    CEILING = 64,  /* seven bits */
    /* Of a robust mutex: its owner ended; and nobody made it consistent. */
    OWNER_DIED = 0x10000,
    LOST = 0x20000,
};

/* Who locks it: a number that no other thread has which could lock it. */
static unsigned me(const pthread_mutex_t *mutex) { return mutex->__kind & SHARED ? __mog_number_among_all() : __mog_self.id; }

static unsigned owner(const pthread_mutex_t *mutex) { return ATOMIC_LOAD(&mutex->__word) & ~THREAD_WAITERS; }

/* The rest of locking a mutex that was locked for this thread. */
static int locked(pthread_mutex_t *mutex) {
    if (!(mutex->__kind & ROBUST)) return 0;
    if (mutex->__kind & LOST) {
        unlock_word(&mutex->__word);
        return ENOTRECOVERABLE;
    }
    struct thread *self = &__mog_self;
    mutex->__next = self->robust;
    mutex->__link = &self->robust;
    if (self->robust) self->robust->__link = &mutex->__next;
    self->robust = mutex;
    return mutex->__kind & OWNER_DIED ? EOWNERDEAD : 0;
}

/* Of a mutex that is this thread's already; -1: it is not, or it can only be waited for. */
static int lock_own(pthread_mutex_t *mutex) {
    const int type = mutex->__kind & TYPE;
    if (type == PTHREAD_MUTEX_NORMAL || owner(mutex) != me(mutex)) return -1;
    if (type == PTHREAD_MUTEX_ERRORCHECK) return EDEADLK;
    if (mutex->__again == INT32_MAX) return EAGAIN;
    ++mutex->__again;
    return 0;
}

static int lock_until(pthread_mutex_t *mutex, const struct deadline *until) {
    if (mutex->__kind) {
        int result = lock_own(mutex);
        if (result >= 0) return result;
    }
    int error = mutex->__kind & SHARED ? lock_word_for(&mutex->__word, me(mutex), until) : lock_word(&mutex->__word, until);
    return error || !mutex->__kind ? error : locked(mutex);
}

int pthread_mutex_lock(pthread_mutex_t *mutex) { return lock_until(mutex, NULL); }
int pthread_mutex_clocklock(pthread_mutex_t *restrict mutex, clockid_t clock, const struct timespec *restrict until) {
    if (!is_clock_to_wait_by(clock)) return EINVAL;
    return lock_until(mutex, &(struct deadline){clock, until});
}
int pthread_mutex_timedlock(pthread_mutex_t *restrict mutex, const struct timespec *restrict until) {
    return pthread_mutex_clocklock(mutex, CLOCK_REALTIME, until);
}

int pthread_mutex_trylock(pthread_mutex_t *mutex) {
    if (mutex->__kind) {
        int result = lock_own(mutex);
        if (result >= 0) return result == EDEADLK ? EBUSY : result;
    }
    return !compare_and_swap(&mutex->__word, 0, me(mutex)) ? EBUSY : mutex->__kind ? locked(mutex) : 0;
}

int __mog_lock_again(pthread_mutex_t *mutex) {
    while (!compare_and_swap(&mutex->__word, 0, me(mutex) | THREAD_WAITERS)) {
        unsigned now = ATOMIC_LOAD(&mutex->__word);
        if (now && (now & THREAD_WAITERS || compare_and_swap(&mutex->__word, now, now | THREAD_WAITERS)))
            __mog_wait_on(&mutex->__word, now | THREAD_WAITERS, NULL);
    }
    return mutex->__kind ? locked(mutex) : 0;
}

static void leave_list(pthread_mutex_t *mutex) {
    *mutex->__link = mutex->__next;
    if (mutex->__next) mutex->__next->__link = mutex->__link;
}

int pthread_mutex_unlock(pthread_mutex_t *mutex) {
    if (mutex->__kind) {
        if ((mutex->__kind & (TYPE | ROBUST)) && owner(mutex) != me(mutex)) return EPERM;
        if (mutex->__again) {
            --mutex->__again;
            return 0;
        }
        if (mutex->__kind & ROBUST) {
            if (mutex->__kind & OWNER_DIED) mutex->__kind |= LOST;
            leave_list(mutex);
        }
    }
    unlock_word(&mutex->__word);
    return 0;
}

int pthread_mutex_consistent(pthread_mutex_t *mutex) {
    if (!(mutex->__kind & OWNER_DIED) || owner(mutex) != me(mutex)) return EINVAL;
    mutex->__kind &= ~OWNER_DIED;
    return 0;
}

void __mog_leave_robust(struct thread *self) {
    while (self->robust) {
        pthread_mutex_t *mutex = self->robust;
        leave_list(mutex);
        mutex->__again = 0;
        mutex->__kind |= OWNER_DIED;
        unlock_word(&mutex->__word);
    }
}

int pthread_mutex_init(pthread_mutex_t *restrict mutex, const pthread_mutexattr_t *restrict attributes) {
    *mutex = (pthread_mutex_t){.__kind = attributes ? attributes->__kind : PTHREAD_MUTEX_DEFAULT};
    return 0;
}
int pthread_mutex_destroy(pthread_mutex_t *mutex) { return owner(mutex) ? EBUSY : 0; }

/* ---- attributes ---- */

static int set(pthread_mutexattr_t *attributes, int place, int value, int most) {
    if (value < 0 || value > most) return EINVAL;
    attributes->__kind = (attributes->__kind & ~(most * place)) | value * place;
    return 0;
}
static int get(const pthread_mutexattr_t *attributes, int place, int most, int *value) {
    *value = attributes->__kind / place & most;
    return 0;
}

int pthread_mutexattr_init(pthread_mutexattr_t *attributes) { return attributes->__kind = PTHREAD_MUTEX_DEFAULT, 0; }
int pthread_mutexattr_destroy(pthread_mutexattr_t *attributes) { return (void)attributes, 0; }
int pthread_mutexattr_settype(pthread_mutexattr_t *attributes, int type) {
    return type > PTHREAD_MUTEX_ERRORCHECK ? EINVAL : set(attributes, 1, type, TYPE);
}
int pthread_mutexattr_gettype(const pthread_mutexattr_t *restrict attributes, int *restrict type) { return get(attributes, 1, TYPE, type); }
int pthread_mutexattr_setrobust(pthread_mutexattr_t *attributes, int robust) { return set(attributes, ROBUST, robust, 1); }
int pthread_mutexattr_getrobust(const pthread_mutexattr_t *restrict attributes, int *restrict robust) {
    return get(attributes, ROBUST, 1, robust);
}
int pthread_mutexattr_setpshared(pthread_mutexattr_t *attributes, int shared) { return set(attributes, SHARED, shared, 1); }
int pthread_mutexattr_getpshared(const pthread_mutexattr_t *restrict attributes, int *restrict shared) {
    return get(attributes, SHARED, 1, shared);
}
int pthread_mutexattr_setprotocol(pthread_mutexattr_t *attributes, int protocol) {
    return protocol > PTHREAD_PRIO_PROTECT ? EINVAL : set(attributes, PROTOCOL, protocol, 3);
}
int pthread_mutexattr_getprotocol(const pthread_mutexattr_t *restrict attributes, int *restrict protocol) {
    return get(attributes, PROTOCOL, 3, protocol);
}
int pthread_mutexattr_setprioceiling(pthread_mutexattr_t *attributes, int ceiling) { return set(attributes, CEILING, ceiling, 127); }
int pthread_mutexattr_getprioceiling(const pthread_mutexattr_t *restrict attributes, int *restrict ceiling) {
    return get(attributes, CEILING, 127, ceiling);
}
