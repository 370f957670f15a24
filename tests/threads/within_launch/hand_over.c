/* Pairs of threads that hand a number to and fro, each waiting for its turn by a condition. */
#include <pthread.h>
#include <stdio.h>

enum { PAIRS = 8, ROUNDS = 60 };
static struct pair {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    int number;
} pairs[PAIRS];

static void *go(void *which) {
    const int me = (int)(long)which;
    struct pair *const pair = &pairs[me / 2];
    pthread_mutex_lock(&pair->mutex);
    for (int i = 0; i < ROUNDS; ++i) {
        while (pair->number % 2 != me % 2) pthread_cond_wait(&pair->changed, &pair->mutex);
        ++pair->number;
        pthread_cond_signal(&pair->changed);
    }
    pthread_mutex_unlock(&pair->mutex);
    return NULL;
}

int main(void) {
    pthread_t threads[2 * PAIRS];
    int sum = 0;
    for (int i = 0; i < PAIRS; ++i) {
        pthread_mutex_init(&pairs[i].mutex, NULL);
        pthread_cond_init(&pairs[i].changed, NULL);
    }
    for (int i = 0; i < 2 * PAIRS; ++i) pthread_create(&threads[i], NULL, go, (void *)(long)i);
    for (int i = 0; i < 2 * PAIRS; ++i) pthread_join(threads[i], NULL);
    for (int i = 0; i < PAIRS; ++i) sum += pairs[i].number;
    printf("%d handed over\n", sum);
    return 0;
}
