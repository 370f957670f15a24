/* threads.c: <pthread.h> and <semaphore.h> where there is one thread. Errors are returned, as POSIX has it; see the headers. */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>

#include "runtime_pe/system/calls.h"

enum { THIS_THREAD = 1 };

int pthread_create(pthread_t *restrict thread, const pthread_attr_t *restrict attributes, void *(*start)(void *), void *restrict argument) {
    (void)thread, (void)attributes, (void)start, (void)argument;
    ASK_FOR_ANOTHER();
    return EAGAIN;
}
int pthread_join(pthread_t thread, void **result) {
    (void)result;
    return thread == THIS_THREAD ? EDEADLK : ESRCH;
}
int pthread_detach(pthread_t thread) { return thread == THIS_THREAD ? 0 : ESRCH; }
void pthread_exit(void *result) {
    (void)result;
    exit(0);
}
pthread_t pthread_self(void) { return THIS_THREAD; }
int pthread_equal(pthread_t a, pthread_t b) { return a == b; }
int pthread_kill(pthread_t thread, int signal) { return thread != THIS_THREAD ? ESRCH : signal == 0 ? 0 : raise(signal) ? errno : 0; }
int pthread_sigmask(int how, const sigset_t *restrict set, sigset_t *restrict old) { return sigprocmask(how, set, old) ? errno : 0; }
int pthread_setcancelstate(int state, int *old) {
    (void)state;
    if (old) *old = PTHREAD_CANCEL_ENABLE;
    return 0;
}
int pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void)) {
    (void)prepare, (void)parent, (void)child;
    return 0;
}

int pthread_once(pthread_once_t *done, void (*function)(void)) {
    if (!*done) {
        *done = 1;
        function();
    }
    return 0;
}

int pthread_attr_init(pthread_attr_t *attributes) {
    *attributes = (pthread_attr_t){PTHREAD_CREATE_JOINABLE, PTHREAD_STACK_MIN};
    return 0;
}
int pthread_attr_destroy(pthread_attr_t *attributes) { return (void)attributes, 0; }
int pthread_attr_setdetachstate(pthread_attr_t *attributes, int state) { return attributes->__detached = state, 0; }
int pthread_attr_setstacksize(pthread_attr_t *attributes, size_t bytes) { return attributes->__stack = bytes, 0; }
int pthread_attr_getstacksize(const pthread_attr_t *restrict attributes, size_t *restrict bytes) {
    *bytes = attributes->__stack;
    return 0;
}

/* ---- mutexes ---- */

int pthread_mutexattr_init(pthread_mutexattr_t *attributes) { return attributes->__kind = PTHREAD_MUTEX_DEFAULT, 0; }
int pthread_mutexattr_destroy(pthread_mutexattr_t *attributes) { return (void)attributes, 0; }
int pthread_mutexattr_settype(pthread_mutexattr_t *attributes, int kind) {
    if (kind < PTHREAD_MUTEX_NORMAL || kind > PTHREAD_MUTEX_ERRORCHECK) return EINVAL;
    attributes->__kind = kind;
    return 0;
}
int pthread_mutexattr_gettype(const pthread_mutexattr_t *restrict attributes, int *restrict kind) {
    *kind = attributes->__kind;
    return 0;
}
int pthread_mutex_init(pthread_mutex_t *restrict mutex, const pthread_mutexattr_t *restrict attributes) {
    *mutex = (pthread_mutex_t){attributes ? attributes->__kind : PTHREAD_MUTEX_DEFAULT, 0};
    return 0;
}
int pthread_mutex_destroy(pthread_mutex_t *mutex) { return mutex->__locks ? EBUSY : 0; }
int pthread_mutex_trylock(pthread_mutex_t *mutex) {
    if (mutex->__locks && mutex->__kind != PTHREAD_MUTEX_RECURSIVE) return EBUSY;
    ++mutex->__locks;
    return 0;
}
int pthread_mutex_lock(pthread_mutex_t *mutex) { return pthread_mutex_trylock(mutex) ? EDEADLK : 0; }
int pthread_mutex_unlock(pthread_mutex_t *mutex) {
    if (!mutex->__locks) return EPERM;
    --mutex->__locks;
    return 0;
}

int pthread_rwlock_init(pthread_rwlock_t *restrict lock, const pthread_rwlockattr_t *restrict attributes) {
    (void)attributes;
    *lock = (pthread_rwlock_t)PTHREAD_RWLOCK_INITIALIZER;
    return 0;
}
int pthread_rwlock_destroy(pthread_rwlock_t *lock) { return lock->__readers || lock->__writers ? EBUSY : 0; }
int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock) { return lock->__writers ? EBUSY : (++lock->__readers, 0); }
int pthread_rwlock_trywrlock(pthread_rwlock_t *lock) { return lock->__writers || lock->__readers ? EBUSY : (++lock->__writers, 0); }
int pthread_rwlock_rdlock(pthread_rwlock_t *lock) { return pthread_rwlock_tryrdlock(lock) ? EDEADLK : 0; }
int pthread_rwlock_wrlock(pthread_rwlock_t *lock) { return pthread_rwlock_trywrlock(lock) ? EDEADLK : 0; }
int pthread_rwlock_unlock(pthread_rwlock_t *lock) {
    int *count = lock->__writers ? &lock->__writers : &lock->__readers;
    if (!*count) return EPERM;
    --*count;
    return 0;
}

/* ---- conditions: nobody else could make one true ---- */

int pthread_cond_init(pthread_cond_t *restrict condition, const pthread_condattr_t *restrict attributes) {
    return (void)condition, (void)attributes, 0;
}
int pthread_cond_destroy(pthread_cond_t *condition) { return (void)condition, 0; }
int pthread_cond_signal(pthread_cond_t *condition) { return (void)condition, 0; }
int pthread_cond_broadcast(pthread_cond_t *condition) { return (void)condition, 0; }
int pthread_cond_wait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex) { return (void)condition, (void)mutex, EDEADLK; }
int pthread_cond_timedwait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex, const struct timespec *restrict until) {
    (void)condition, (void)mutex;
    clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, until, NULL);
    return ETIMEDOUT;
}

/* ---- a thread's own values ---- */

static struct {
    const void *value;
    int taken;
} keys[PTHREAD_KEYS_MAX];

/* Destructors are called when a thread ends before the program does. */
int pthread_key_create(pthread_key_t *key, void (*destructor)(void *)) {
    (void)destructor;
    for (pthread_key_t free = 0; free < PTHREAD_KEYS_MAX; ++free)
        if (!keys[free].taken) {
            keys[free].taken = 1;
            keys[free].value = NULL;
            *key = free;
            return 0;
        }
    return EAGAIN;
}
static int exists(pthread_key_t key) { return key < PTHREAD_KEYS_MAX && keys[key].taken; }
int pthread_key_delete(pthread_key_t key) { return exists(key) ? (keys[key].taken = 0) : EINVAL; }
void *pthread_getspecific(pthread_key_t key) { return exists(key) ? (void *)keys[key].value : NULL; }
int pthread_setspecific(pthread_key_t key, const void *value) {
    if (!exists(key)) return EINVAL;
    keys[key].value = value;
    return 0;
}

/* ---- semaphores ---- */

static int fail(int number) {
    errno = number;
    return -1;
}

int sem_init(sem_t *semaphore, int shared, unsigned value) {
    (void)shared;
    if (value > SEM_VALUE_MAX) return fail(EINVAL);
    semaphore->__value = value;
    return 0;
}
int sem_destroy(sem_t *semaphore) { return (void)semaphore, 0; }
int sem_post(sem_t *semaphore) { return semaphore->__value == SEM_VALUE_MAX ? fail(EOVERFLOW) : (++semaphore->__value, 0); }
int sem_trywait(sem_t *semaphore) { return semaphore->__value ? (--semaphore->__value, 0) : fail(EAGAIN); }
int sem_wait(sem_t *semaphore) { return semaphore->__value ? sem_trywait(semaphore) : fail(EDEADLK); }
int sem_getvalue(sem_t *restrict semaphore, int *restrict value) {
    *value = (int)semaphore->__value;
    return 0;
}
