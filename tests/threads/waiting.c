/* waiting.c: who waits by looking, without a word to anybody, does not keep those from running that it waits for, wherever these are: in
 * its warp, on its core, before it or behind it in the order of threads. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

enum { THREADS = 6, ROUNDS = 2 };

static pthread_t threads[THREADS];
static void run(void *(*start)(void *)) {
    for (long i = 0; i < THREADS; ++i) pthread_create(&threads[i], NULL, start, (void *)i);
    for (int i = 0; i < THREADS; ++i) pthread_join(threads[i], NULL);
}

/* Each waits for the one behind it, the last one for nobody. */
static atomic_int done[THREADS + 1];
static void *backwards(void *argument) {
    const long me = (long)argument;
    while (me + 1 < THREADS && !atomic_load_explicit(&done[me + 1], memory_order_acquire)) {
    }
    atomic_store_explicit(&done[me], 1, memory_order_release);
    return NULL;
}

/* The same, for the one before it. */
static void *forwards(void *argument) {
    const long me = (long)argument;
    while (me > 0 && atomic_load_explicit(&done[me - 1], memory_order_acquire) != 2) {
    }
    atomic_store_explicit(&done[me], 2, memory_order_release);
    return NULL;
}

/* A lock that is tried again and again. */
static atomic_flag lock = ATOMIC_FLAG_INIT;
static int guarded;
static void *locks(void *argument) {
    for (int i = 0; i < ROUNDS; ++i) {
        while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire)) {
        }
        guarded += 1 + (int)(long)argument;
        atomic_flag_clear_explicit(&lock, memory_order_release);
    }
    return NULL;
}

/* A lock that is given in the order in which it was asked for: the next one may be anywhere. */
static atomic_uint next_ticket, served;
static int in_order;
static void *tickets(void *argument) {
    for (int i = 0; i < ROUNDS; ++i) {
        const unsigned mine = atomic_fetch_add(&next_ticket, 1);
        while (atomic_load_explicit(&served, memory_order_acquire) != mine) {
        }
        in_order += (unsigned)in_order == mine;
        atomic_fetch_add_explicit(&served, 1, memory_order_release);
    }
    return argument;
}

/* A barrier of a counter and a sense. */
static atomic_int arrived, sense;
static int phases[THREADS], ahead;
static void *meets(void *argument) {
    const long me = (long)argument;
    for (int i = 1; i <= ROUNDS; ++i) {
        phases[me] = i;
        if (atomic_fetch_add(&arrived, 1) == THREADS * i - 1) atomic_store(&sense, i);
        while (atomic_load(&sense) < i) {
        }
        for (int other = 0; other < THREADS; ++other) ahead += phases[other] < i;
    }
    return NULL;
}

/* One word goes round. */
static atomic_uint ball;
static void *throws(void *argument) {
    for (unsigned i = 0; i < ROUNDS; ++i) {
        unsigned mine = i * THREADS + (unsigned)(long)argument;
        while (!atomic_compare_exchange_weak(&ball, &mine, i * THREADS + (unsigned)(long)argument + 1))
            mine = i * THREADS + (unsigned)(long)argument;
    }
    return NULL;
}

/* The lock's owner sleeps with it. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int turn;
static void *takes_turns(void *argument) {
    pthread_mutex_lock(&mutex);
    while (turn != THREADS - 1 - (int)(long)argument) pthread_cond_wait(&condition, &mutex);
    ++turn;
    pthread_cond_broadcast(&condition);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    run(backwards);
    printf("backwards %d\n", done[0]);
    run(forwards);
    printf("forwards %d\n", done[THREADS - 1]);
    run(locks);
    printf("locks %d\n", guarded);
    run(tickets);
    printf("tickets %d\n", in_order);
    run(meets);
    printf("barrier %d\n", ahead);
    run(throws);
    printf("ball %u\n", ball);
    run(takes_turns);
    printf("turns %d\n", turn);
    return 0;
}
