/* conditions.c: condition variables: queues with one and several on each side, broadcasts, ends of waiting, clocks. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { ITEMS = 2000, ROOM = 8, SIDES = 4, CROWD = 30 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER, not_full = PTHREAD_COND_INITIALIZER;
static int queue[ROOM], first, used;
static long taken[SIDES];

static void *produce(void *argument) {
    for (int i = 0; i < ITEMS; ++i) {
        pthread_mutex_lock(&mutex);
        while (used == ROOM) pthread_cond_wait(&not_full, &mutex);
        queue[(first + used++) % ROOM] = (int)(long)argument * ITEMS + i;
        pthread_cond_signal(&not_empty);
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}
static void *consume(void *argument) {
    for (int i = 0; i < ITEMS; ++i) {
        pthread_mutex_lock(&mutex);
        while (!used) pthread_cond_wait(&not_empty, &mutex);
        taken[(long)argument] += queue[first];
        first = (first + 1) % ROOM;
        --used;
        pthread_mutex_unlock(&mutex);
        pthread_cond_signal(&not_full);
    }
    return NULL;
}

static pthread_cond_t gate = PTHREAD_COND_INITIALIZER, all_there = PTHREAD_COND_INITIALIZER;
static int round_number, waiting, passed;
static void *waits_for_gate(void *argument) {
    for (int round = 1; round <= 5; ++round) {
        pthread_mutex_lock(&mutex);
        if (++waiting == CROWD) pthread_cond_signal(&all_there);
        while (round_number < round) pthread_cond_wait(&gate, &mutex);
        ++passed;
        pthread_mutex_unlock(&mutex);
    }
    return argument;
}

static struct timespec in(clockid_t clock, long milliseconds) {
    struct timespec time;
    clock_gettime(clock, &time);
    time.tv_nsec += milliseconds * 1000000;
    time.tv_sec += time.tv_nsec / 1000000000;
    time.tv_nsec %= 1000000000;
    return time;
}

static pthread_cond_t ping = PTHREAD_COND_INITIALIZER;
static int turn;
static void *plays(void *argument) {
    const int mine = (int)(long)argument;
    for (int i = 0; i < 500; ++i) {
        pthread_mutex_lock(&mutex);
        while (turn % 3 != mine) pthread_cond_wait(&ping, &mutex);
        ++turn;
        pthread_cond_broadcast(&ping);
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[CROWD];
    for (long i = 0; i < SIDES; ++i) {
        pthread_create(&threads[2 * i], NULL, produce, (void *)i);
        pthread_create(&threads[2 * i + 1], NULL, consume, (void *)i);
    }
    long all = 0;
    for (int i = 0; i < 2 * SIDES; ++i) pthread_join(threads[i], NULL);
    for (int i = 0; i < SIDES; ++i) all += taken[i];
    printf("items %ld left %d\n", all, used);

    for (int i = 0; i < CROWD; ++i) pthread_create(&threads[i], NULL, waits_for_gate, NULL);
    for (int round = 1; round <= 5; ++round) {
        pthread_mutex_lock(&mutex);
        while (waiting < CROWD) pthread_cond_wait(&all_there, &mutex);
        waiting = 0;
        round_number = round;
        printf("gate %d passed %d\n", round, passed);
        pthread_cond_broadcast(&gate);
        pthread_mutex_unlock(&mutex);
    }
    for (int i = 0; i < CROWD; ++i) pthread_join(threads[i], NULL);
    printf("passed %d\n", passed);

    pthread_condattr_t attributes;
    clockid_t clock;
    pthread_cond_t steady;
    pthread_condattr_init(&attributes);
    printf("clock %d %s", pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC),
           strerror(pthread_condattr_setclock(&attributes, CLOCK_PROCESS_CPUTIME_ID)));
    pthread_condattr_getclock(&attributes, &clock);
    printf(" %d", clock == CLOCK_MONOTONIC);
    pthread_cond_init(&steady, &attributes);
    pthread_mutex_lock(&mutex);
    struct timespec until = in(CLOCK_MONOTONIC, 5), now;
    int error;
    while (!(error = pthread_cond_timedwait(&steady, &mutex, &until))) {
    }
    clock_gettime(CLOCK_MONOTONIC, &now);
    printf(" %s early %d", strerror(error), now.tv_sec < until.tv_sec || (now.tv_sec == until.tv_sec && now.tv_nsec < until.tv_nsec));
    until = in(CLOCK_REALTIME, 5);
    while (!(error = pthread_cond_timedwait(&ping, &mutex, &until))) {
    }
    until.tv_nsec = 1000000000;
    printf(" %s %s\n", strerror(error), strerror(pthread_cond_timedwait(&ping, &mutex, &until)));
    until = in(CLOCK_REALTIME, 5);
    printf("another clock %s\n", strerror(pthread_cond_clockwait(&ping, &mutex, CLOCK_PROCESS_CPUTIME_ID, &until)));
    pthread_mutex_unlock(&mutex);
    printf("destroy %d %d\n", pthread_cond_destroy(&steady), pthread_condattr_destroy(&attributes));

    for (long i = 0; i < 3; ++i) pthread_create(&threads[i], NULL, plays, (void *)i);
    for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
    printf("turns %d\n", turn);
    return 0;
}
