/* semaphore.h: semaphores, between the threads of a process. Those with a name are the process' own, too. */
#ifndef _SEMAPHORE_H
#define _SEMAPHORE_H

#include <sys/_thread_limits.h>
#include <sys/cdefs.h>
#include <sys/types.h>
#include <time.h>

#define SEM_VALUE_MAX __MOG_SEM_VALUE_MAX
#define SEM_FAILED ((sem_t *)0)

/* __word: twice the value, and a bit that changes to wake who waits; __waiters: how many do. */
typedef struct { unsigned __word, __waiters; } sem_t;

__BEGIN_DECLS
int sem_init(sem_t *, int, unsigned);
int sem_destroy(sem_t *);
sem_t *sem_open(const char *, int, ...);
int sem_close(sem_t *);
int sem_unlink(const char *);
int sem_post(sem_t *);
int sem_wait(sem_t *);
int sem_trywait(sem_t *);
int sem_timedwait(sem_t *__restrict, const struct timespec *__restrict);
int sem_clockwait(sem_t *__restrict, clockid_t, const struct timespec *__restrict);
int sem_getvalue(sem_t *__restrict, int *__restrict);
__END_DECLS

#endif
