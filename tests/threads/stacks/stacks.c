/* stacks.c: threads with default attributes, all of them alive at once. `stacks live N`: each uses some of its stack, and finds it as it
 * was; `stacks lengths`: how long the stacks of the first one and of a late one are; `stacks ended N`: they end at once, and are joined
 * later; `stacks deep`: a late one's is too short for what it does. */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_barrier_t all_here;
static size_t length_of_own_stack(void) {
    pthread_attr_t attributes;
    size_t bytes = 0;
    pthread_getattr_np(pthread_self(), &attributes);
    pthread_attr_getstacksize(&attributes, &bytes);
    return bytes;
}
static void *lives(void *argument) {
    char text[4000];
    memset(text, (int)(long)argument, sizeof text);
    pthread_barrier_wait(&all_here);
    long sum = 0;
    for (size_t i = 0; i < sizeof text; ++i) sum += ((volatile unsigned char *)text)[i];
    return (void *)(sum / (long)sizeof text);
}
static void *waits_with_length(void *argument) {
    *(size_t *)argument = length_of_own_stack();
    pthread_barrier_wait(&all_here);
    return NULL;
}
static __attribute__((noinline)) int deeper(int depth) {
    volatile char frame[1000];
    frame[depth % sizeof frame] = 1;
    sched_yield();
    return depth ? deeper(depth - 1) + frame[0] : 0;
}
static void *goes_deep(void *argument) {
    pthread_barrier_wait(&all_here);
    return argument ? (void *)(long)deeper(100) : NULL;
}

/* Each has ended before the next one begins, and its stack is there until it is joined. */
static void *ends(void *ended) { return __atomic_store_n((int *)ended, 1, __ATOMIC_RELEASE), ended; }
static int start_one_by_one(int threads) {
    pthread_t *all = malloc((size_t)threads * sizeof *all);
    int failed = 0;
    for (int i = 0; i < threads; ++i) {
        int ended = 0;
        if (pthread_create(&all[i], NULL, ends, &ended)) return printf("there is no thread %d\n", i), 1;
        while (!__atomic_load_n(&ended, __ATOMIC_ACQUIRE)) sched_yield();
    }
    for (int i = 0; i < threads; ++i) failed += pthread_join(all[i], NULL) != 0;
    free(all);
    return printf("%d threads have ended, %d not\n", threads, failed), failed != 0;
}

static int start(int threads, void *(*work)(void *), void *(*argument_of)(int), long (*expected)(int)) {
    pthread_t *all = malloc((size_t)threads * sizeof *all);
    pthread_barrier_init(&all_here, NULL, (unsigned)threads + 1);
    for (int i = 0; i < threads; ++i)
        if (pthread_create(&all[i], NULL, work, argument_of(i))) return printf("there is no thread %d\n", i), 1;
    pthread_barrier_wait(&all_here);
    int wrong = 0;
    for (int i = 0; i < threads; ++i) {
        void *result;
        pthread_join(all[i], &result);
        wrong += (long)result != expected(i);
    }
    free(all);
    printf("%d threads, %d wrong\n", threads, wrong);
    return wrong != 0;
}

enum { MANY = 4000 };
static size_t lengths[MANY];
static void *number_of(int i) { return (void *)(long)(i % 251); }
static long is_number(int i) { return i % 251; }
static void *length_of(int i) { return &lengths[i]; }
static void *is_last(int i) { return (void *)(long)(i == MANY - 1); }
static long is_nothing(int i) { return (void)i, 0; }

int main(int argc, char **argv) {
    const char *const what = argc > 1 ? argv[1] : "";
    if (strcmp(what, "live") == 0) {
        const int threads = argc > 2 ? atoi(argv[2]) : MANY;
        /* Those that follow find the memory of those that have ended. */
        return start(threads, lives, number_of, is_number) || start(threads, lives, number_of, is_number);
    }
    if (strcmp(what, "ended") == 0) return start_one_by_one(atoi(argv[2]));
    if (strcmp(what, "lengths") == 0) {
        const int failed = start(MANY, waits_with_length, length_of, is_nothing);
        printf("long at first %d, shorter at last %d, enough %d\n", lengths[0] >= 256 << 10, lengths[MANY - 1] < lengths[0],
               lengths[MANY - 1] >= 16 << 10);
        return failed;
    }
    return start(MANY, goes_deep, is_last, is_nothing);
}
