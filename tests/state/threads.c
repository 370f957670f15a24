/* threads.c: threads at all that they can be at when a run is written down: computing, waiting for locks, conditions, barriers, semaphores and
 * each other's ends, asleep; with variables of their own; some have ended, and their places serve again. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <unistd.h>

enum { THREADS = 6, ROUNDS = 40, LAPS = 12 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turn_over = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t made;
static int turn, sums[THREADS];
static _Thread_local unsigned own = 1;

static unsigned compute(unsigned seed) {
    for (int i = 0; i < 800; ++i) seed = seed * 1664525u + 1013904223u;
    return seed;
}

static void *takes_turns(void *argument) {
    const int number = *(int *)argument;
    own += (unsigned)number;
    for (int round = 0; round < ROUNDS; ++round) {
        own = compute(own);
        pthread_mutex_lock(&lock);
        while (turn % THREADS != number) pthread_cond_wait(&turn_over, &lock);
        if (round % 10 == 0) printf("round %d, thread %d: %u\n", round, number, own);
        turn++;
        pthread_cond_broadcast(&turn_over);
        pthread_mutex_unlock(&lock);
        if (round % 8 == 3) pthread_barrier_wait(&barrier);
        if (round % 16 == 5 && number == 2) usleep(3000);
    }
    sums[number] = (int)(own % 1000);
    return argument;
}

static void *makes(void *argument) {
    for (int i = 0; i < LAPS; ++i) {
        own = compute(own);
        sem_post(&made);
    }
    return argument;
}

int main(void) {
    pthread_t threads[THREADS];
    int numbers[THREADS];
    setvbuf(stdout, NULL, _IOLBF, 0);
    pthread_barrier_init(&barrier, NULL, THREADS);
    sem_init(&made, 0, 0);
    for (int i = 0; i < THREADS; ++i) {
        numbers[i] = i;
        pthread_create(&threads[i], NULL, takes_turns, &numbers[i]);
    }
    for (int i = 0; i < THREADS; ++i) pthread_join(threads[i], NULL);
    for (int lap = 0; lap < LAPS; ++lap) {
        pthread_t maker;
        pthread_create(&maker, NULL, makes, NULL);
        for (int i = 0; i < LAPS; ++i) sem_wait(&made);
        pthread_join(maker, NULL);
        printf("lap %d\n", lap);
    }
    for (int i = 0; i < THREADS; ++i) printf("%d\n", sums[i]);
    return 5;
}
