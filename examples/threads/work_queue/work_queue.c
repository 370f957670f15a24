/* work_queue: one thread puts numbers into a queue, others take them out and look for their factors.
 *
 *     mogcc -O2 -pthread work_queue.c -o work_queue
 *     ./work_queue                            40 numbers, 8 workers
 *     mogrun --threads 65 ./work_queue 5000 64
 *
 * The queue has room for a few only: who puts waits while it is full, who takes waits while it is empty. A mutex protects it, two condition variables
 * say that there is room, and that there is work. Results have a place for each number, so no lock is needed for them.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROOM = 8, MOST_WORKERS = 1000 };

static struct {
    pthread_mutex_t lock;
    pthread_cond_t has_room, has_work;
    int places[ROOM], first, used;
    bool closed; /* nothing will be put any more */
} queue = {.lock = PTHREAD_MUTEX_INITIALIZER, .has_room = PTHREAD_COND_INITIALIZER, .has_work = PTHREAD_COND_INITIALIZER};

static void put(int job) {
    pthread_mutex_lock(&queue.lock);
    while (queue.used == ROOM) pthread_cond_wait(&queue.has_room, &queue.lock);
    queue.places[(queue.first + queue.used++) % ROOM] = job;
    pthread_cond_signal(&queue.has_work);
    pthread_mutex_unlock(&queue.lock);
}

static bool take(int *job) {
    pthread_mutex_lock(&queue.lock);
    while (!queue.used && !queue.closed) pthread_cond_wait(&queue.has_work, &queue.lock);
    const bool got = queue.used > 0;
    if (got) {
        *job = queue.places[queue.first];
        queue.first = (queue.first + 1) % ROOM;
        --queue.used;
        pthread_cond_signal(&queue.has_room);
    }
    pthread_mutex_unlock(&queue.lock);
    return got;
}

static void close_queue(void) {
    pthread_mutex_lock(&queue.lock);
    queue.closed = true;
    pthread_cond_broadcast(&queue.has_work);
    pthread_mutex_unlock(&queue.lock);
}

static unsigned *smallest; /* factors, by job */
static unsigned number_of(int job) { return 1000003u + 38u * (unsigned)job; }

static void *work(void *done) {
    for (int job; take(&job); ++*(int *)done) {
        const unsigned number = number_of(job);
        unsigned factor = 2;
        while (factor * factor <= number && number % factor) ++factor;
        smallest[job] = factor * factor <= number ? factor : number;
    }
    return NULL;
}

int main(int argc, char **argv) {
    const int jobs = argc > 1 ? atoi(argv[1]) : 40, workers = argc > 2 ? atoi(argv[2]) : 8;
    if (argc > 3 || jobs < 0 || workers < 1 || workers > MOST_WORKERS) {
        fprintf(stderr, "usage: work_queue [NUMBERS [WORKERS]], with up to %d workers\n", MOST_WORKERS);
        return 2;
    }
    pthread_t *threads = calloc((size_t)workers, sizeof *threads);
    int *done = calloc((size_t)workers, sizeof *done), started = 0, total = 0;
    smallest = calloc((size_t)jobs + 1, sizeof *smallest);
    if (!threads || !done || !smallest) return perror("work_queue"), 1;
    while (started < workers && pthread_create(&threads[started], NULL, work, &done[started]) == 0) ++started;
    if (!started) return fprintf(stderr, "work_queue: no thread can be had: --threads\n"), 1;
    for (int job = 0; job < jobs; ++job) put(job);
    close_queue();
    for (int i = 0; i < started; ++i) {
        pthread_join(threads[i], NULL);
        total += done[i];
    }
    int primes = 0;
    for (int job = 0; job < jobs; ++job) primes += smallest[job] == number_of(job);
    for (int job = 0; job < jobs && job < 10; ++job) {
        const unsigned number = number_of(job);
        if (smallest[job] == number) printf("%u is prime\n", number);
        else printf("%u = %u * %u\n", number, smallest[job], number / smallest[job]);
    }
    printf("%d numbers, %d of them primes\n", total, primes);
    free(threads);
    free(done);
    free(smallest);
    return total != jobs;
}
