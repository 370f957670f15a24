/* robust.c: a thread ends and leaves a robust mutex locked. Under qemu glibc's thread never learns of it, so it is not asked. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t mutex, others[3];
static _Atomic int locked, waits;

static void *dies(void *argument) {
    pthread_mutex_lock(argument);
    return NULL;
}
static void *dies_with_three(void *argument) {
    for (int i = 0; i < 3; ++i) pthread_mutex_lock(&others[i]);
    pthread_mutex_unlock(&others[1]);
    locked = 1;
    while (!waits) usleep(500);
    usleep(5000);
    pthread_exit(argument);
}
static void make(pthread_mutex_t *place, int type) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, type);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(place, &attributes);
    pthread_mutexattr_destroy(&attributes);
}

int main(void) {
    pthread_t thread;
    make(&mutex, PTHREAD_MUTEX_NORMAL);
    pthread_create(&thread, NULL, dies, &mutex);
    pthread_join(thread, NULL);
    printf("dead %s", strerror(pthread_mutex_lock(&mutex)));
    printf(" consistent %d", pthread_mutex_consistent(&mutex));
    printf(" unlock %d", pthread_mutex_unlock(&mutex));
    printf(" lock %d", pthread_mutex_lock(&mutex));
    printf(" consistent %s\n", strerror(pthread_mutex_consistent(&mutex)));
    pthread_mutex_unlock(&mutex);
    pthread_create(&thread, NULL, dies, &mutex);
    pthread_join(thread, NULL);
    printf("dead %s", strerror(pthread_mutex_trylock(&mutex)));
    printf(" unlock %d", pthread_mutex_unlock(&mutex));
    printf(" lost %s\n", strerror(pthread_mutex_lock(&mutex)));

    for (int i = 0; i < 3; ++i) make(&others[i], i == 2 ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_ERRORCHECK);
    pthread_create(&thread, NULL, dies_with_three, NULL);
    pthread_detach(thread);
    while (!locked) usleep(500);
    printf("%s, ", strerror(pthread_mutex_trylock(&others[0])));
    /* Who waits for it is woken when its owner ends. */
    waits = 1;
    for (int i = 0; i < 3; ++i) printf("%s, ", strerror(pthread_mutex_lock(&others[i])));
    for (int i = 0; i < 3; ++i) printf("%d ", pthread_mutex_consistent(&others[i]) == (i == 1 ? EINVAL : 0));
    for (int i = 0; i < 3; ++i) printf("%d ", pthread_mutex_unlock(&others[i]));
    puts("end");
    return 0;
}
