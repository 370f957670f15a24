/* library_in_threads.c: malloc, streams, the environment and conversions, by many threads at once. */
#define _GNU_SOURCE
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { THREADS = 8, LINES = 200, PIECES = 64, STEPS = 4000 };

static FILE *file;

static void *prints(void *argument) {
    for (int i = 0; i < LINES; ++i) {
        fprintf(file, "%ld:%d:%s:%.3f\n", (long)argument, i, "a line that is whole", i / 8.0);
        if (i % 50 == 0) fflush(file);
    }
    flockfile(file);
    for (const char *text = "together\n"; *text; ++text) putc_unlocked(*text, file);
    funlockfile(file);
    return NULL;
}

static unsigned char *exchanged[THREADS];
static size_t exchanged_bytes[THREADS];
static pthread_mutex_t exchange = PTHREAD_MUTEX_INITIALIZER;
static void *allocates(void *argument) {
    unsigned seed = (unsigned)(long)argument * 77 + 1;
    unsigned char *pieces[PIECES] = {0};
    size_t bytes[PIECES] = {0};
    for (int step = 0; step < STEPS; ++step) {
        seed = seed * 1103515245 + 12345;
        const int place = seed >> 16 & (PIECES - 1), kind = seed >> 24 & 7;
        const size_t wanted = kind == 7 ? seed >> 20 & 4095 : (seed >> 20 & 127) + 1;
        for (size_t i = 0; i < bytes[place]; ++i)
            if (pieces[place][i] != (unsigned char)place) return "somebody wrote into a piece of memory";
        if (kind == 6) {
            pieces[place] = realloc(pieces[place], wanted ? wanted : 1);
        } else {
            free(pieces[place]);
            pieces[place] = kind == 5 ? calloc(wanted, 1) : kind == 4 ? memalign(32, wanted) : malloc(wanted);
            if (kind == 5)
                for (size_t i = 0; i < wanted; ++i)
                    if (pieces[place][i]) return "calloc gave what was not zero";
            if (kind == 4 && (uintptr_t)pieces[place] % 32) return "memalign";
        }
        bytes[place] = wanted;
        memset(pieces[place], place, wanted);
        if (step % 16 == 0) { /* some are given back by other threads */
            pthread_mutex_lock(&exchange);
            unsigned char *other = exchanged[seed % THREADS];
            exchanged[seed % THREADS] = pieces[place];
            pthread_mutex_unlock(&exchange);
            free(other);
            pieces[place] = NULL;
            bytes[place] = 0;
        }
    }
    for (int i = 0; i < PIECES; ++i) free(pieces[i]);
    void *mapping = mmap(NULL, 10000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapping == MAP_FAILED || munmap(mapping, 10000)) return "mmap";
    return NULL;
}

static void *converts(void *argument) {
    char name[20], text[60];
    snprintf(name, sizeof name, "VARIABLE_%ld", (long)argument);
    for (int i = 0; i < 200; ++i) {
        const double value = (double)i * 1.1 + (double)(long)argument / 3;
        snprintf(text, sizeof text, "%.17g", value);
        if (strtod(text, NULL) != value) return "strtod";
        setenv(name, text, 1);
        const char *back = getenv(name);
        if (!back || strcmp(back, text)) return "getenv";
        int a, b;
        snprintf(text, sizeof text, "%d %x", i, i);
        if (sscanf(text, "%d %x", &a, &b) != 2 || a != b) return "sscanf";
    }
    return NULL;
}

static void all(void *(*function)(void *)) {
    pthread_t threads[THREADS];
    void *result;
    for (long i = 0; i < THREADS; ++i)
        if (pthread_create(&threads[i], NULL, function, (void *)i)) puts("no thread");
    for (int i = 0; i < THREADS; ++i) {
        pthread_join(threads[i], &result);
        if (result) puts(result);
    }
}

int main(void) {
    file = tmpfile();
    all(prints);
    rewind(file);
    char line[100], text[40];
    int next[THREADS] = {0}, lines = 0, together = 0, number, count;
    double value;
    while (fgets(line, sizeof line, file)) {
        ++lines;
        if (strcmp(line, "together\n") == 0) {
            ++together;
            continue;
        }
        if (sscanf(line, "%d:%d:%39[^:]:%lf", &number, &count, text, &value) != 4 || count != next[number]++ || value != count / 8.0)
            printf("torn: %s", line);
    }
    printf("lines %d together %d\n", lines, together);
    all(allocates);
    puts("memory");
    all(converts);
    puts("conversions");
    printf("streams %d\n", fclose(file));
    return 0;
}
