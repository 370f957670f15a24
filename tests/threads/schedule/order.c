/* order.c: what threads do in which order, told by a list that they share under a lock, so that it is the interleaving and nothing else. */
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 5, STEPS = 20 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char order[THREADS * STEPS + 1];
static int used;

static void *step(void *argument) {
    for (int i = 0; i < STEPS; ++i) {
        pthread_mutex_lock(&lock);
        order[used++] = (char)('a' + *(int *)argument);
        pthread_mutex_unlock(&lock);
        for (volatile int wait = 0; wait < 50 * *(int *)argument; ++wait) continue;
    }
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    int numbers[THREADS];
    for (int i = 0; i < THREADS; ++i) {
        numbers[i] = i;
        pthread_create(&threads[i], NULL, step, &numbers[i]);
    }
    for (int i = 0; i < THREADS; ++i) pthread_join(threads[i], NULL);
    puts(order);
    return 0;
}
