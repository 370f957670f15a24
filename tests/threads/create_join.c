/* create_join.c: threads begin, end, and are waited for. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void *square(void *argument) { return (void *)((long)argument * (long)argument); }
static void *exits_early(void *argument) {
    pthread_exit(argument);
    return NULL;
}
static pthread_t seen;
static void *looks_at_itself(void *argument) {
    seen = pthread_self();
    return argument;
}
static pthread_barrier_t barrier;
static void *waits(void *argument) {
    pthread_barrier_wait(&barrier);
    return argument;
}
/* As deep as its stack allows, with room left. */
static int deep(int levels) {
    volatile char frame[256];
    memset((char *)frame, levels, sizeof frame);
    return levels ? deep(levels - 1) + (frame[7] == (char)levels) : 0;
}
static void *goes_deep(void *argument) { return (void *)(long)deep((int)(long)argument); }
static int detached;
static void *counts(void *argument) {
    (void)argument;
    __atomic_fetch_add(&detached, 1, __ATOMIC_SEQ_CST);
    return NULL;
}
static void *creates_others(void *argument) {
    pthread_t others[4];
    long sum = 0;
    for (long i = 0; i < 4; ++i)
        if (pthread_create(&others[i], NULL, square, (void *)((long)argument + i))) return (void *)-1;
    for (int i = 0; i < 4; ++i) {
        void *result;
        pthread_join(others[i], &result);
        sum += (long)result;
    }
    return (void *)sum;
}
static void *ends_last(void *argument) {
    usleep(20000);
    puts(argument);
    return NULL;
}

int main(void) {
    pthread_t threads[20];
    void *result;
    long sum = 0;
    for (long i = 0; i < 20; ++i) pthread_create(&threads[i], NULL, i % 2 ? square : exits_early, (void *)i);
    for (int i = 0; i < 20; ++i) {
        pthread_join(threads[i], &result);
        sum += (long)result;
    }
    printf("sum %ld\n", sum);

    pthread_create(&threads[0], NULL, looks_at_itself, NULL);
    pthread_join(threads[0], NULL);
    printf("self %d main %d\n", pthread_equal(seen, threads[0]) != 0, pthread_equal(seen, pthread_self()) != 0);
    printf("join itself %s\n", strerror(pthread_join(pthread_self(), NULL)));

    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&threads[0], NULL, waits, "done");
    printf("try %s", strerror(pthread_tryjoin_np(threads[0], &result)));
    struct timespec soon;
    clock_gettime(CLOCK_REALTIME, &soon);
    soon.tv_nsec += 3000000;
    if (soon.tv_nsec >= 1000000000) soon.tv_nsec -= 1000000000, ++soon.tv_sec;
    printf(" timed %s", strerror(pthread_timedjoin_np(threads[0], &result, &soon)));
    pthread_barrier_wait(&barrier);
    soon.tv_sec += 60;
    printf(" %d %s\n", pthread_timedjoin_np(threads[0], &result, &soon), (char *)result);

    pthread_attr_t attributes;
    size_t bytes;
    int state;
    pthread_attr_init(&attributes);
    printf("attributes %d %s", pthread_attr_setstacksize(&attributes, 262144), strerror(pthread_attr_setstacksize(&attributes, 100)));
    pthread_attr_getstacksize(&attributes, &bytes);
    printf(" %zu", bytes);
    pthread_attr_getguardsize(&attributes, &bytes);
    printf(" guard %zu", bytes);
    pthread_create(&threads[0], &attributes, goes_deep, (void *)600L);
    pthread_join(threads[0], &result);
    printf(" deep %ld", (long)result);
    void *memory;
    if (posix_memalign(&memory, 65536, 131072)) return 1;
    printf(" own stack %d", pthread_attr_setstack(&attributes, memory, 131072));
    pthread_create(&threads[0], &attributes, goes_deep, (void *)200L);
    pthread_join(threads[0], &result);
    printf(" deep %ld\n", (long)result);
    free(memory);
    pthread_attr_destroy(&attributes);

    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_getdetachstate(&attributes, &state);
    for (int i = 0; i < 10; ++i)
        if (i % 2) {
            pthread_create(&threads[0], &attributes, counts, NULL);
        } else {
            pthread_create(&threads[0], NULL, counts, NULL);
            pthread_detach(threads[0]);
        }
    while (__atomic_load_n(&detached, __ATOMIC_SEQ_CST) < 10) usleep(500);
    printf("detached %d state %d\n", detached, state);

    for (long i = 0; i < 5; ++i) pthread_create(&threads[i], NULL, creates_others, (void *)(10 * i));
    for (sum = 0, state = 0; state < 5; ++state) {
        pthread_join(threads[state], &result);
        sum += (long)result;
    }
    printf("tree %ld\n", sum);

    /* Many, one after the other: what ended serves again. */
    for (long i = 0; i < 500; ++i) {
        if (pthread_create(&threads[0], NULL, square, (void *)i)) return 2;
        pthread_join(threads[0], &result);
        if ((long)result != i * i) return 3;
    }

    char name[16];
    printf("name %d", pthread_setname_np(pthread_self(), "worker"));
    printf(" %d %s %s\n", pthread_getname_np(pthread_self(), name, sizeof name), name,
           strerror(pthread_setname_np(pthread_self(), "a name that is too long")));

    pthread_create(&threads[0], NULL, ends_last, "main has ended before");
    fflush(stdout);
    pthread_exit(NULL);
}
