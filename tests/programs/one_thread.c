/* one_thread.c: what one thread can do with <pthread.h> and <semaphore.h>. */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>

static int calls;
static void count(void) { ++calls; }

int main(void) {
    pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER, recursive, checking;
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&recursive, &kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&checking, &kind);
    pthread_mutexattr_destroy(&kind);
    printf("plain %d %s %d %d\n", pthread_mutex_lock(&plain), strerror(pthread_mutex_trylock(&plain)), pthread_mutex_unlock(&plain),
           pthread_mutex_trylock(&plain));
    printf("recursive %d %d %d %d %s\n", pthread_mutex_lock(&recursive), pthread_mutex_lock(&recursive),
           pthread_mutex_unlock(&recursive), pthread_mutex_unlock(&recursive), strerror(pthread_mutex_unlock(&recursive)));
    printf("checking %d %s %d %s\n", pthread_mutex_lock(&checking), strerror(pthread_mutex_lock(&checking)),
           pthread_mutex_unlock(&checking), strerror(pthread_mutex_unlock(&checking)));

    pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
    printf("read %d %d %s", pthread_rwlock_rdlock(&lock), pthread_rwlock_tryrdlock(&lock), strerror(pthread_rwlock_trywrlock(&lock)));
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_unlock(&lock);
    printf(" write %d %s %d\n", pthread_rwlock_wrlock(&lock), strerror(pthread_rwlock_tryrdlock(&lock)), pthread_rwlock_unlock(&lock));

    pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, count);
    pthread_once(&once, count);
    pthread_key_t key;
    static int value = 7;
    printf("key %d", pthread_key_create(&key, NULL));
    printf(" %d", pthread_getspecific(key) == NULL);
    printf(" %d", pthread_setspecific(key, &value));
    printf(" %d", *(int *)pthread_getspecific(key));
    printf(" %d once %d self %d\n", pthread_key_delete(key), calls, pthread_equal(pthread_self(), pthread_self()) != 0);

    pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
    struct timespec past = {1, 0};
    printf("condition %d %d %s\n", pthread_cond_signal(&condition), pthread_cond_broadcast(&condition),
           strerror(pthread_cond_timedwait(&condition, &plain, &past)));

    sem_t semaphore;
    int left;
    printf("semaphore %d %d %d", sem_init(&semaphore, 0, 1), sem_wait(&semaphore), sem_trywait(&semaphore));
    printf(" %s", strerror(errno));
    sem_post(&semaphore);
    sem_post(&semaphore);
    sem_getvalue(&semaphore, &left);
    printf(" %d\n", left);
    return 0;
}
