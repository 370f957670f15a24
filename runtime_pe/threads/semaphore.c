/* semaphore.c: a value in a word, of which the lowest bit wakes who is cancelled while it waits. */
#include <fcntl.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "thread.h"

enum { ONE = 2 };

static int fail(int number) {
    errno = number;
    return -1;
}

int sem_init(sem_t *semaphore, int shared, unsigned value) {
    (void)shared;
    if (value > SEM_VALUE_MAX) return fail(EINVAL);
    *semaphore = (sem_t){value * ONE, 0};
    return 0;
}
int sem_destroy(sem_t *semaphore) { return (void)semaphore, 0; }

int sem_post(sem_t *semaphore) {
    unsigned now;
    do {
        now = ATOMIC_LOAD(&semaphore->__word);
        if (now / ONE == SEM_VALUE_MAX) return fail(EOVERFLOW);
    } while (!compare_and_swap(&semaphore->__word, now, now + ONE));
    if (ATOMIC_LOAD(&semaphore->__waiters)) __mog_wake(&semaphore->__word, 1);
    return 0;
}

static int take(sem_t *semaphore) {
    for (unsigned now; (now = ATOMIC_LOAD(&semaphore->__word)) / ONE;)
        if (compare_and_swap(&semaphore->__word, now, now - ONE)) return 1;
    return 0;
}

int sem_trywait(sem_t *semaphore) { return take(semaphore) ? 0 : fail(EAGAIN); }

static void leave(void *semaphore) { __atomic_fetch_sub(&((sem_t *)semaphore)->__waiters, 1, __ATOMIC_SEQ_CST); }

static int wait_until(sem_t *semaphore, const struct deadline *until) {
    cancellation_point();
    for (int spins = 0; spins < SPINS; ++spins) {
        if (take(semaphore)) return 0;
        relax();
    }
    int error = 0;
    __atomic_fetch_add(&semaphore->__waiters, 1, __ATOMIC_SEQ_CST);
    pthread_cleanup_push(leave, semaphore);
    while (!error && !take(semaphore)) {
        unsigned now = ATOMIC_LOAD(&semaphore->__word);
        if (now / ONE) continue;
        error = __mog_wait_cancellable(&semaphore->__word, now, until);
        if (error == EINTR && !cancellation_point()) error = 0;
    }
    pthread_cleanup_pop(1);
    return error ? fail(error) : 0;
}

int sem_wait(sem_t *semaphore) { return wait_until(semaphore, NULL); }
int sem_clockwait(sem_t *restrict semaphore, clockid_t clock, const struct timespec *restrict until) {
    if (!is_clock_to_wait_by(clock)) return fail(EINVAL);
    return wait_until(semaphore, &(struct deadline){clock, until});
}
int sem_timedwait(sem_t *restrict semaphore, const struct timespec *restrict until) {
    return sem_clockwait(semaphore, CLOCK_REALTIME, until);
}

int sem_getvalue(sem_t *restrict semaphore, int *restrict value) {
    *value = (int)(ATOMIC_LOAD(&semaphore->__word) / ONE);
    return 0;
}

/* ---- with names, for the threads of one process ---- */

struct named {
    sem_t semaphore; /* first: what programs have is its address */
    int users;       /* who opened it and has not closed it */
    int linked;      /* can still be opened */
    struct named *next;
    char name[];
};
static struct named *all;
__LOCK_INIT(static, names_lock)

static struct named *find(const char *name) {
    struct named *found = all;
    while (found && !(found->linked && strcmp(found->name, name) == 0)) found = found->next;
    return found;
}

static void forget_unused(struct named *named) {
    if (named->users || named->linked) return;
    struct named **link = &all;
    while (*link != named) link = &(*link)->next;
    *link = named->next;
    free(named);
}

static struct named *make(const char *name, unsigned value) {
    struct named *made = value > SEM_VALUE_MAX ? (errno = EINVAL, NULL) : malloc(sizeof *made + strlen(name) + 1);
    if (!made) return NULL;
    *made = (struct named){.semaphore = {value * ONE, 0}, .linked = 1, .next = all};
    strcpy(made->name, name);
    return all = made;
}

sem_t *sem_open(const char *name, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    if (flags & O_CREAT) (void)va_arg(arguments, int); /* a mode */
    const unsigned value = flags & O_CREAT ? va_arg(arguments, unsigned) : 0;
    va_end(arguments);
    __lock_acquire(names_lock);
    struct named *found = find(name);
    if (found && (flags & (O_CREAT | O_EXCL)) == (O_CREAT | O_EXCL)) found = NULL, errno = EEXIST;
    else if (!found && flags & O_CREAT) found = make(name, value);
    else if (!found) errno = ENOENT;
    if (found) ++found->users;
    __lock_release(names_lock);
    return found ? &found->semaphore : SEM_FAILED;
}

int sem_close(sem_t *semaphore) {
    struct named *named = (struct named *)semaphore;
    __lock_acquire(names_lock);
    --named->users;
    forget_unused(named);
    __lock_release(names_lock);
    return 0;
}

int sem_unlink(const char *name) {
    __lock_acquire(names_lock);
    struct named *found = find(name);
    if (found) {
        found->linked = 0;
        forget_unused(found);
    }
    __lock_release(names_lock);
    return found ? 0 : fail(ENOENT);
}
