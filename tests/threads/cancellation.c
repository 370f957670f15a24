/* cancellation.c: threads that are cancelled where they wait, and what they do before they end. */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static sem_t ready, nothing;
static char trail[200];

static void note(void *text) { strcat(trail, text); }
static void unlocks(void *lock) {
    strcat(trail, "unlocked ");
    pthread_mutex_unlock(lock);
}

static void *in_condition(void *argument) {
    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(note, "outer ");
    pthread_cleanup_push(unlocks, &mutex);
    sem_post(&ready);
    for (;;) pthread_cond_wait(&never, &mutex);
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(0);
    return argument;
}
static void *in_semaphore(void *argument) {
    sem_post(&ready);
    pthread_cleanup_push(note, "semaphore ");
    sem_wait(&nothing);
    pthread_cleanup_pop(0);
    return argument;
}
static void *asleep(void *argument) {
    sem_post(&ready);
    pthread_cleanup_push(note, "asleep ");
    sleep(1000);
    pthread_cleanup_pop(0);
    return argument;
}
static void *pauses(void *argument) {
    sem_post(&ready);
    pthread_cleanup_push(note, "paused ");
    pause();
    pthread_cleanup_pop(0);
    return argument;
}
static void *computes(void *argument) {
    sem_post(&ready);
    for (;;) pthread_testcancel();
    return argument;
}
static pthread_t other;
static void *joins(void *argument) {
    sem_post(&ready);
    pthread_join(other, NULL);
    return argument;
}
static void *refuses(void *argument) {
    int old;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
    strcat(trail, old == PTHREAD_CANCEL_ENABLE ? "enabled " : "disabled ");
    sem_post(&ready);
    usleep(10000);
    pthread_testcancel();
    strcat(trail, "survived ");
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old);
    pthread_cleanup_push(note, "then ");
    pthread_testcancel();
    pthread_cleanup_pop(0);
    return argument;
}
static void *runs_handlers(void *argument) {
    pthread_cleanup_push(note, "not ");
    pthread_cleanup_push(note, "first ");
    pthread_cleanup_pop(1);
    pthread_cleanup_pop(0);
    pthread_cleanup_push(note, "exit ");
    if (argument) pthread_exit(argument);
    pthread_cleanup_pop(0);
    return NULL;
}
static void *writes(void *argument) {
    sem_post(&ready);
    for (;;) {
        usleep(1000);
        if (write(1, "", 0) < 0) return argument;
    }
}

static void cancel(const char *what, void *(*function)(void *)) {
    pthread_t thread;
    void *result = NULL;
    trail[0] = 0;
    pthread_create(&thread, NULL, function, "ended");
    sem_wait(&ready);
    if (function != refuses) usleep(2000);
    const int error = pthread_cancel(thread);
    pthread_join(thread, &result);
    printf("%s: %d %s %s\n", what, error, result == PTHREAD_CANCELED ? "cancelled" : (char *)result, trail);
}

int main(void) {
    pthread_t thread;
    void *result;
    int old;
    sem_init(&ready, 0, 0);
    sem_init(&nothing, 0, 0);
    for (int i = 0; i < 3; ++i) {
        cancel("condition", in_condition);
        printf("mutex %d", pthread_mutex_trylock(&mutex));
        printf(" %d\n", pthread_mutex_unlock(&mutex));
        cancel("semaphore", in_semaphore);
        cancel("sleep", asleep);
        cancel("pause", pauses);
        cancel("testcancel", computes);
        cancel("disabled", refuses);
        cancel("write", writes);
    }
    pthread_create(&other, NULL, in_semaphore, "other");
    sem_wait(&ready);
    cancel("join", joins);
    sem_post(&nothing);
    pthread_join(other, &result);
    printf("other %s\n", (char *)result);
    trail[0] = 0;
    pthread_create(&thread, NULL, runs_handlers, NULL);
    pthread_join(thread, &result);
    printf("handlers %s\n", trail);
    trail[0] = 0;
    pthread_create(&thread, NULL, runs_handlers, "x");
    pthread_join(thread, &result);
    printf("handlers %s%s\n", trail, (char *)result);
    printf("type %d %d", pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old), old == PTHREAD_CANCEL_DEFERRED);
    printf(" %d %d", pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &old), old == PTHREAD_CANCEL_ASYNCHRONOUS);
    printf(" %s %s\n", strerror(pthread_setcanceltype(77, &old)), strerror(pthread_setcancelstate(77, &old)));
    int value;
    sem_getvalue(&nothing, &value);
    printf("value %d\n", value);
    return 0;
}
