/* semaphore.h: semaphores of the one thread there is. To wait for one at 0 fails with EDEADLK: nobody could raise it. */
#ifndef _SEMAPHORE_H
#define _SEMAPHORE_H

#include <sys/cdefs.h>

#define SEM_VALUE_MAX 0x7fffffffU
typedef struct { unsigned __value; } sem_t;

__BEGIN_DECLS
int sem_init(sem_t *, int, unsigned);
int sem_destroy(sem_t *);
int sem_post(sem_t *);
int sem_wait(sem_t *);
int sem_trywait(sem_t *);
int sem_getvalue(sem_t *__restrict, int *__restrict);
__END_DECLS

#endif
