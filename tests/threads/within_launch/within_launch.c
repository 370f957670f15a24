/* Threads that meet two hundred times. */
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 24, ROUNDS = 200 };
static pthread_barrier_t barrier;
static unsigned counts[ROUNDS], wrong;

static void *go(void *unused) {
    for (int i = 0; i < ROUNDS; ++i) {
        __atomic_fetch_add(&counts[i], 1, __ATOMIC_RELAXED);
        pthread_barrier_wait(&barrier);
        if (counts[i] != THREADS) __atomic_fetch_add(&wrong, 1, __ATOMIC_RELAXED);
    }
    return unused;
}

int main(void) {
    pthread_t threads[THREADS];
    pthread_barrier_init(&barrier, NULL, THREADS);
    for (int i = 1; i < THREADS; ++i) pthread_create(&threads[i], NULL, go, NULL);
    go(NULL);
    for (int i = 1; i < THREADS; ++i) pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&barrier);
    printf("%u wrong\n", wrong);
    return 0;
}
