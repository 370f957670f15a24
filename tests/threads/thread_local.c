/* thread_local.c: what each thread has of its own: variables, errno, and what functions of the library keep between calls. */
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static __thread int counter = 100;
static __thread char text[32] = "initial";
static __thread int zero[50];
static _Thread_local _Alignas(64) double aligned = 1.5;
__thread long *pointer = NULL;
static _Thread_local struct {
    short a;
    long long b;
} pair = {3, 4};

static pthread_barrier_t barrier;

static void *work(void *argument) {
    const long number = (long)argument;
    static char lines[8][200];
    if (counter != 100 || strcmp(text, "initial") || zero[7] || aligned != 1.5 || pair.b != 4 || (uintptr_t)&aligned % 64)
        return "initial values";
    for (int i = 0; i < 50; ++i) zero[i] = (int)number;
    counter += (int)number;
    snprintf(text, sizeof text, "thread %ld", number);
    pointer = &(long){number};
    errno = (int)number + 1;
    aligned *= (double)number;
    pair.b -= number;
    pthread_barrier_wait(&barrier);
    /* errno is a thread's own, whatever the others do. */
    const int mine = errno;
    if (number % 2) strtol("99999999999999999999", NULL, 10);
    pthread_barrier_wait(&barrier);
    if (errno != (number % 2 ? ERANGE : mine)) return "errno";
    /* strtok_r() keeps its place where it is told. */
    char words[] = "a bb ccc dddd eeeee";
    size_t length = 0;
    char *rest;
    for (char *word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        length = length * 10 + strlen(word);
        pthread_barrier_wait(&barrier);
    }
    double sum = 0;
    for (int i = 0; i < 50; ++i) sum += zero[i];
    snprintf(lines[number], sizeof lines[number], "%s %d %g %.3f %zu %d %lld %.17g", text, counter, sum, aligned, length, mine, pair.b,
             sqrt((double)number));
    return lines[number];
}

int main(void) {
    pthread_t threads[8];
    counter = 5; /* others begin with what the program says, not with what the main thread has made of it */
    strcpy(text, "main");
    pthread_barrier_init(&barrier, NULL, 8);
    for (int round = 0; round < 3; ++round) {
        for (long i = 0; i < 8; ++i) pthread_create(&threads[i], NULL, work, (void *)i);
        for (int i = 0; i < 8; ++i) {
            void *line;
            pthread_join(threads[i], &line);
            puts(line);
        }
    }
    printf("%s %d %d %d\n", text, counter, zero[3], pointer == NULL);
    return 0;
}
