/* c11.c: <threads.h> over <pthread.h>. */
#include <threads.h>

#include "thread.h"

static int told(int error) {
    switch (error) {
        case 0: return thrd_success;
        case EBUSY: return thrd_busy;
        case ETIMEDOUT: return thrd_timedout;
        case ENOMEM:
        case EAGAIN: return thrd_nomem;
        default: return thrd_error;
    }
}

/* An int comes back in the register in which a pointer would. */
int thrd_create(thrd_t *thread, thrd_start_t start, void *argument) {
    void *(*function)(void *) = (void *(*)(void *))(uintptr_t)start;
    return told(pthread_create(thread, NULL, function, argument));
}
int thrd_equal(thrd_t a, thrd_t b) { return a == b; }
thrd_t thrd_current(void) { return pthread_self(); }
void thrd_exit(int result) { __mog_end_thread((void *)(intptr_t)result); }
int thrd_detach(thrd_t thread) { return told(pthread_detach(thread)); }
int thrd_join(thrd_t thread, int *result) {
    void *value;
    int error = pthread_join(thread, &value);
    if (!error && result) *result = (int)(intptr_t)value;
    return told(error);
}
void thrd_yield(void) { sched_yield(); }
int thrd_sleep(const struct timespec *wanted, struct timespec *rest) { return nanosleep(wanted, rest) == 0 ? 0 : errno == EINTR ? -1 : -2; }

int mtx_init(mtx_t *mutex, int type) {
    mutex->__mutex = (pthread_mutex_t){.__kind = type & mtx_recursive ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL};
    return thrd_success;
}
int mtx_lock(mtx_t *mutex) { return told(pthread_mutex_lock(&mutex->__mutex)); }
int mtx_timedlock(mtx_t *restrict mutex, const struct timespec *restrict until) {
    return told(pthread_mutex_timedlock(&mutex->__mutex, until));
}
int mtx_trylock(mtx_t *mutex) { return told(pthread_mutex_trylock(&mutex->__mutex)); }
int mtx_unlock(mtx_t *mutex) { return told(pthread_mutex_unlock(&mutex->__mutex)); }
void mtx_destroy(mtx_t *mutex) { (void)mutex; }

void call_once(once_flag *once, void (*function)(void)) { pthread_once(once, function); }

int cnd_init(cnd_t *condition) { return told(pthread_cond_init(&condition->__condition, NULL)); }
int cnd_signal(cnd_t *condition) { return told(pthread_cond_signal(&condition->__condition)); }
int cnd_broadcast(cnd_t *condition) { return told(pthread_cond_broadcast(&condition->__condition)); }
int cnd_wait(cnd_t *condition, mtx_t *mutex) { return told(pthread_cond_wait(&condition->__condition, &mutex->__mutex)); }
int cnd_timedwait(cnd_t *restrict condition, mtx_t *restrict mutex, const struct timespec *restrict until) {
    return told(pthread_cond_timedwait(&condition->__condition, &mutex->__mutex, until));
}
void cnd_destroy(cnd_t *condition) { pthread_cond_destroy(&condition->__condition); }

int tss_create(tss_t *key, tss_dtor_t destructor) { return told(pthread_key_create(key, destructor)); }
void *tss_get(tss_t key) { return pthread_getspecific(key); }
int tss_set(tss_t key, void *value) { return told(pthread_setspecific(key, value)); }
void tss_delete(tss_t key) { pthread_key_delete(key); }
