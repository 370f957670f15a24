/* sweep.c: says what it was given, and whether memory is as a new process has it. Its first argument says how it ends. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int initialised = 5;
static char zeroed[40000];
static int table[16000] = {1, 2, 3}; /* so many that devices may keep them once for all PEs */

#ifdef THREADS
static void *add(void *argument) {
    for (int i = 0; i < 1000; i++) __atomic_fetch_add((int *)argument, 1, __ATOMIC_SEQ_CST);
    return NULL;
}
#endif

static unsigned compute(unsigned seed, int rounds) {
    for (int i = 0; i < rounds; i++) seed = seed * 1664525u + 1013904223u + (seed >> 13);
    return seed;
}

static int deep(int depth) {
    volatile char room[200];
    int dirty = 0;
    for (int i = 0; i < 200; i++) room[i] = (char)depth;
    if (depth) dirty = deep(depth - 1);
    return dirty + (room[depth] != (char)depth);
}

int main(int argc, char **argv) {
    int dirty = initialised != 5 || table[0] != 1 || table[9000] || table[15999];
    for (size_t i = 0; i < sizeof zeroed; i += 97) dirty |= zeroed[i];
    char *heap = malloc(70000);
    for (int i = 0; i < 70000; i += 61) dirty |= heap[i];
    if (dirty) return puts("memory of somebody else"), 99;
    initialised = 6;
    memset(zeroed, 1, sizeof zeroed);
    memset(heap, 2, 70000);
    for (int i = 0; i < 16000; i += 700) table[i] = i + 7;
    printf("%d words:", argc - 1);
    for (int i = 1; i < argc; i++) printf(" <%s>", argv[i]);
    const char *value = getenv("SWEEP_VALUE");
    char line[100], folder[300];
    printf("\nvalue %s\n", value ? value : "none");
    for (int number = 1; fgets(line, sizeof line, stdin); number++) printf("%d: %s", number, line);
    const char *name = getcwd(folder, sizeof folder) ? strrchr(folder, '/') : NULL;
    if (name && !strncmp(name, "/run-", 5)) {
        FILE *file = fopen("result.txt", "a");
        fprintf(file, "%s\n", argc > 2 ? argv[2] : "nothing");
        fclose(file);
    }
    const char *end = argc > 1 ? argv[1] : "";
    printf("computed %u deep %d\n", compute(argc > 2 ? (unsigned)atoi(argv[2]) : 1, !strcmp(end, "long") ? 300000 : 500), deep(20));
#ifdef THREADS
    int sum = 0;
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, add, &sum);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    printf("threads %d\n", sum);
#endif
    if (!strcmp(end, "fails")) return fprintf(stderr, "this one fails\n"), 3;
    if (!strcmp(end, "crashes")) *(volatile int *)0 = 1;
    if (!strcmp(end, "waits")) sleep(60);
#ifdef THREADS
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    if (!strcmp(end, "deadlocks")) pthread_mutex_lock(&mutex), pthread_mutex_lock(&mutex);
#endif
    if (!strcmp(end, "loops"))
        for (;;) initialised++;
    if (!strcmp(end, "aborts")) abort();
    printf("the end"); /* of a line that is not finished */
    return !strcmp(end, "status") ? atoi(argv[2]) & 255 : 0;
}
