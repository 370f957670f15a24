/* many_threads.c [COUNT]: so many threads at a time, each with the smallest stack, most of which it uses; and others once these have ended.
 */
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { USED = 8 << 10 };

static pthread_barrier_t all_here;
static unsigned sum, wrong;

static void *run(void *argument) {
    const unsigned me = (unsigned)(long)argument;
    volatile unsigned own[USED / sizeof(unsigned)];
    for (unsigned i = 0; i < sizeof own / sizeof own[0]; ++i) own[i] = me * 2654435761u + i;
    pthread_barrier_wait(&all_here);
    unsigned differ = 0;
    for (unsigned i = 0; i < sizeof own / sizeof own[0]; ++i) differ += own[i] != me * 2654435761u + i;
    __atomic_fetch_add(&sum, me, __ATOMIC_RELAXED);
    if (differ) __atomic_fetch_add(&wrong, 1, __ATOMIC_RELAXED);
    return NULL;
}

int main(int argc, char **argv) {
    const unsigned count = argc > 1 ? (unsigned)atoi(argv[1]) : 600;
    pthread_t *threads = malloc(count * sizeof *threads);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    const long least = sysconf(_SC_THREAD_STACK_MIN);
    if (pthread_attr_setstacksize(&attributes, least < 16384 ? 16384 : (size_t)least)) return 2;
    pthread_barrier_init(&all_here, NULL, count + 1);
    for (int again = 0; again < 2; ++again) {
        for (unsigned i = 0; i < count; ++i) {
            const int error = pthread_create(&threads[i], &attributes, run, (void *)(long)i);
            if (error) {
                printf("thread %u: %s\n", i, strerror(error));
                return 1;
            }
        }
        pthread_barrier_wait(&all_here);
        for (unsigned i = 0; i < count; ++i) pthread_join(threads[i], NULL);
        printf("%u threads: sum %u, %u wrong\n", count, sum, wrong);
    }
    return 0;
}
