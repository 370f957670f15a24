/* posix.c: what POSIX's threads cost. `posix NAME THREADS COUNT` does it that often, checks what came out of it, and prints the seconds that it took. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int threads;
static long count;
static long counter;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turned = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void *nothing(void *argument) { return argument; }
static long create(void) {
    pthread_t *all = malloc((size_t)threads * sizeof *all);
    long made = 0;
    for (long i = 0; i < count; i += threads) {
        for (int k = 0; k < threads; ++k) made += pthread_create(&all[k], NULL, nothing, NULL) == 0;
        for (int k = 0; k < threads; ++k) pthread_join(all[k], NULL);
    }
    free(all);
    return made;
}

static void *lock(void *argument) {
    for (long i = 0; i < count; ++i) {
        pthread_mutex_lock(&mutex);
        ++counter;
        pthread_mutex_unlock(&mutex);
    }
    return argument;
}
static void *add(void *argument) {
    for (long i = 0; i < count; ++i) __atomic_fetch_add(&counter, 1, __ATOMIC_SEQ_CST);
    return argument;
}
static void *meet(void *argument) {
    for (long i = 0; i < count; ++i)
        if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) ++counter;
    return argument;
}
/* Each in turn. */
static void *pass(void *argument) {
    const long mine = (long)argument;
    for (long i = 0; i < count; ++i) {
        pthread_mutex_lock(&mutex);
        while (counter % threads != mine) pthread_cond_wait(&turned, &mutex);
        ++counter;
        pthread_cond_broadcast(&turned);
        pthread_mutex_unlock(&mutex);
    }
    return argument;
}

static const struct {
    const char *name;
    void *(*work)(void *);
} kinds[] = {{"lock", lock}, {"add", add}, {"meet", meet}, {"pass", pass}};

int main(int argc, char **argv) {
    if (argc != 4) return 2;
    threads = atoi(argv[2]);
    count = atol(argv[3]);
    if (strcmp(argv[1], "create") == 0) {
        const double begin = now();
        const long made = create();
        printf("%.9f\n", now() - begin);
        return made < count;
    }
    void *(*work)(void *) = NULL;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i)
        if (strcmp(argv[1], kinds[i].name) == 0) work = kinds[i].work;
    if (!work) return 2;
    pthread_barrier_init(&barrier, NULL, (unsigned)threads);
    pthread_t *all = malloc((size_t)threads * sizeof *all);
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 65536);
    const double begin = now();
    for (long i = 1; i < threads; ++i)
        if (pthread_create(&all[i], &small, work, (void *)i)) return 3;
    work((void *)0);
    for (int i = 1; i < threads; ++i) pthread_join(all[i], NULL);
    printf("%.9f\n", now() - begin);
    return counter != (work == meet ? count : count * threads);
}
