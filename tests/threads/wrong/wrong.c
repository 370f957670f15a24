/* wrong.c WAY: threads that go wrong, and what is told of their processes. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t all_there;
static pthread_t self_of_main;
static volatile int zero, steps;

static void *waits(void *argument) {
    int own = 10 + *(int *)argument;
    pthread_barrier_wait(&all_there);
    pthread_mutex_lock(&first); /* main has it */
    return (void *)(long)own;
}
static void *divides(void *argument) {
    int own = 20 + *(int *)argument;
    pthread_barrier_wait(&all_there);
    usleep(50000); /* until the others wait */
    return (void *)(long)(own / zero);
}

static void *second_then_first(void *argument) {
    pthread_mutex_lock(&second);
    pthread_barrier_wait(&all_there);
    pthread_mutex_lock(&first);
    return argument;
}

/* More than a thread's stack has, so that it reaches into its neighbour's. */
static void much(int calls) {
    char local[300 * 1024];
    memset(local, 1, 64);
    if (calls) sched_yield();
    else for (volatile int i = 0; i < 1000; ++i) steps = local[i % 64];
}
static void *takes_much(void *argument) {
    much(*(int *)argument);
    return argument;
}
static int deeper(int depth) {
    volatile int room[64];
    room[depth % 64] = depth;
    steps = depth;
    return deeper(depth + 1) + room[depth % 64];
}
static void *recurses(void *argument) {
    steps = deeper(0);
    return argument;
}
static void *rests(void *argument) {
    pthread_mutex_lock(&first);
    pthread_mutex_unlock(&first);
    return argument;
}

/* A stack of its own in the heap is no overflow. */
static void *stays_well(void *argument) {
    char local[8 * 1024];
    memset(local, 1, sizeof local);
    sched_yield();
    return argument;
}

int main(int argc, char **argv) {
    const char *way = argc > 1 ? argv[1] : "";
    pthread_t threads[3];
    int numbers[3] = {0, 1, 1};
    pthread_mutex_lock(&first);
    if (!strcmp(way, "fault")) {
        pthread_barrier_init(&all_there, NULL, 3);
        pthread_create(&threads[0], NULL, waits, &numbers[0]);
        pthread_create(&threads[1], NULL, divides, &numbers[1]);
        pthread_barrier_wait(&all_there);
        pthread_join(threads[0], NULL);
    } else if (!strcmp(way, "deadlock")) {
        pthread_barrier_init(&all_there, NULL, 2);
        pthread_create(&threads[0], NULL, second_then_first, NULL);
        pthread_barrier_wait(&all_there);
        pthread_mutex_lock(&second);
    } else if (!strcmp(way, "calls") || !strcmp(way, "computes")) {
        numbers[1] = way[1] == 'a';
        pthread_create(&threads[0], NULL, rests, NULL);
        pthread_create(&threads[1], NULL, takes_much, &numbers[1]);
        pthread_join(threads[1], NULL);
        puts("nobody noticed");
    } else if (!strcmp(way, "recursion")) {
        pthread_create(&threads[0], NULL, rests, NULL);
        pthread_create(&threads[1], NULL, recurses, NULL);
        pthread_join(threads[1], NULL);
    } else if (!strcmp(way, "own_stack")) {
        pthread_attr_t attributes;
        pthread_attr_init(&attributes);
        pthread_attr_setstack(&attributes, malloc(32 * 1024), 32 * 1024);
        pthread_create(&threads[0], NULL, rests, NULL);
        pthread_create(&threads[1], &attributes, stays_well, NULL);
        pthread_join(threads[1], NULL);
        puts("well");
    }
    return 0;
}
