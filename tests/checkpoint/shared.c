/* shared.c GATES: threads of each PE, and memory that all PEs share: locks, conditions, a channel of bytes, sleeps. The first thread of each PE waits
 * at a gate in each round until there is a file go.R, while others wait for it, for each other, for a time. */
#include <mog.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define ROUNDS 5
#define THREADS 4

MOG_SHARED int total, rounds[64];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t together;
static sem_t tokens;
static int open_round = -1, sums[THREADS];
static _Thread_local int own;

static void *work(void *argument) {
    int number = (int)(long)argument;
    for (int round = 0; round < ROUNDS; round++) {
        own += round * number;
        if (number == 1) usleep(3000);
        if (number == 2) sem_wait(&tokens);
        pthread_mutex_lock(&lock);
        while (open_round < round) pthread_cond_wait(&changed, &lock);
        pthread_mutex_unlock(&lock);
        __atomic_fetch_add(&total, number + round, __ATOMIC_SEQ_CST);
        sums[number] += own;
        pthread_barrier_wait(&together);
    }
    return NULL;
}

int main(int argc, char **argv) {
    int gates = argc > 1 ? atoi(argv[1]) : 0;
    pthread_t threads[THREADS];
    char name[20];
    sem_init(&tokens, 0, 0);
    pthread_barrier_init(&together, NULL, THREADS);
    int *piece = mog_shared_alloc(1000 * sizeof *piece);
    for (long i = 1; i < THREADS; i++) pthread_create(&threads[i], NULL, work, (void *)i);
    for (int round = 0; round < ROUNDS; round++) {
        printf("PE %d at the gate of round %d\n", IPROC, round);
        fflush(stdout);
        for (sprintf(name, "go.%d", round); gates && access(name, F_OK) != 0;) usleep(1000);
        for (int i = 0; i < 1000; i++) piece[i] += i * (round + IPROC);
        sem_post(&tokens);
        pthread_mutex_lock(&lock);
        open_round = round;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&lock);
        pthread_barrier_wait(&together);
        /* all PEs */
        __atomic_fetch_add(&rounds[round], 1, __ATOMIC_SEQ_CST);
        while (__atomic_load_n(&rounds[round], __ATOMIC_SEQ_CST) != NPROC) usleep(500);
        int sum = 0;
        for (int i = 0; i < 1000; i++) sum += piece[i];
        printf("PE %d, round %d: total %d, piece %d, sums %d %d %d\n", IPROC, round, __atomic_load_n(&total, __ATOMIC_SEQ_CST), sum, sums[1], sums[2],
               sums[3]);
        __atomic_fetch_add(&rounds[32 + round], 1, __ATOMIC_SEQ_CST);
        while (__atomic_load_n(&rounds[32 + round], __ATOMIC_SEQ_CST) != NPROC) usleep(500);
    }
    for (long i = 1; i < THREADS; i++) pthread_join(threads[i], NULL);
    return 0;
}
