/* mutexes.c: all kinds of mutexes, with and without others that want them. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 8, ROUNDS = 3000 };

static pthread_mutex_t mutex;
static long counter;

static void *count(void *argument) {
    const int again = (int)(long)argument;
    for (int i = 0; i < ROUNDS; ++i) {
        for (int k = 0; k <= again; ++k) pthread_mutex_lock(&mutex);
        ++counter;
        for (int k = 0; k <= again; ++k) pthread_mutex_unlock(&mutex);
    }
    return NULL;
}
static void *tries(void *argument) {
    long *got = argument;
    for (int i = 0; i < ROUNDS; ++i)
        if (pthread_mutex_trylock(&mutex) == 0) {
            ++counter;
            ++*got;
            pthread_mutex_unlock(&mutex);
        }
    return NULL;
}
static void make(int type, int robust) {
    pthread_mutexattr_t attributes;
    int back;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, type);
    pthread_mutexattr_setrobust(&attributes, robust);
    pthread_mutexattr_gettype(&attributes, &back);
    printf("type %d", back == type);
    pthread_mutexattr_getrobust(&attributes, &back);
    printf(" robust %d", back == robust);
    printf(" %s", strerror(pthread_mutexattr_settype(&attributes, 77)));
    pthread_mutex_init(&mutex, &attributes);
    pthread_mutexattr_destroy(&attributes);
}
static struct timespec in(long milliseconds) {
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    time.tv_nsec += milliseconds * 1000000;
    time.tv_sec += time.tv_nsec / 1000000000;
    time.tv_nsec %= 1000000000;
    return time;
}
static void *asks(void *argument) {
    (void)argument;
    const struct timespec soon = in(3), wrong = {1, 2000000000};
    int attempt = pthread_mutex_trylock(&mutex), timed = pthread_mutex_timedlock(&mutex, &soon),
        invalid = pthread_mutex_timedlock(&mutex, &wrong);
    printf(" | other: try %s, timed %s, %s, unlock %s", strerror(attempt), strerror(timed), strerror(invalid),
           strerror(pthread_mutex_unlock(&mutex)));
    return NULL;
}

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static void *hands_over(void *argument) {
    pthread_mutex_lock(&first);
    counter *= 2;
    pthread_mutex_unlock(&first);
    return argument;
}

int main(void) {
    static const int types[] = {PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_ERRORCHECK};
    pthread_t threads[THREADS];
    for (int robust = 0; robust < 2; ++robust)
        for (int type = 0; type < 3; ++type) {
            make(types[type], robust ? PTHREAD_MUTEX_ROBUST : PTHREAD_MUTEX_STALLED);
            counter = 0;
            const long again = types[type] == PTHREAD_MUTEX_RECURSIVE ? 2 : 0;
            for (int i = 0; i < THREADS; ++i) pthread_create(&threads[i], NULL, count, (void *)again);
            for (int i = 0; i < THREADS; ++i) pthread_join(threads[i], NULL);
            printf(" counted %ld", counter);
            long got[THREADS] = {0}, all = 0;
            counter = 0;
            for (int i = 0; i < THREADS; ++i) pthread_create(&threads[i], NULL, tries, &got[i]);
            for (int i = 0; i < THREADS; ++i) pthread_join(threads[i], NULL), all += got[i];
            printf(" tries %d", counter == all && all > 0);
            pthread_mutex_lock(&mutex);
            if (types[type] != PTHREAD_MUTEX_NORMAL) printf(" again %s", strerror(pthread_mutex_lock(&mutex)));
            if (types[type] == PTHREAD_MUTEX_RECURSIVE) pthread_mutex_unlock(&mutex);
            if (!robust) printf(" try %s", strerror(pthread_mutex_trylock(&mutex)));
            if (!robust && types[type] == PTHREAD_MUTEX_RECURSIVE) pthread_mutex_unlock(&mutex);
            if (types[type] != PTHREAD_MUTEX_NORMAL) {
                pthread_create(&threads[0], NULL, asks, NULL);
                pthread_join(threads[0], NULL);
            }
            if (!robust) printf(" destroy %s", strerror(pthread_mutex_destroy(&mutex)));
            printf(" unlock %d", pthread_mutex_unlock(&mutex));
            if (types[type] != PTHREAD_MUTEX_NORMAL) printf(" unlock %s", strerror(pthread_mutex_unlock(&mutex)));
            puts("");
        }

    /* A thread that sleeps for a mutex gets it from who unlocks it. */
    counter = 21;
    pthread_mutex_lock(&first);
    pthread_create(&threads[0], NULL, hands_over, NULL);
    usleep(20000);
    printf("still %ld", counter);
    pthread_mutex_unlock(&first);
    pthread_join(threads[0], NULL);
    printf(" then %ld second %d\n", counter, pthread_mutex_trylock(&second));
    return 0;
}
