/* rwlocks_barriers.c: locks for readers and writers, barriers, and locks that are waited for by trying. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { THREADS = 12, ROUNDS = 400 };

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static volatile int a, b;
static int torn;

static void *reads_or_writes(void *argument) {
    const int writes = (long)argument % 4 == 0;
    for (int i = 0; i < ROUNDS; ++i)
        if (writes) {
            pthread_rwlock_wrlock(&lock);
            ++a;
            ++b;
            pthread_rwlock_unlock(&lock);
        } else {
            pthread_rwlock_rdlock(&lock);
            if (a != b) __atomic_fetch_add(&torn, 1, __ATOMIC_RELAXED);
            pthread_rwlock_unlock(&lock);
        }
    return NULL;
}
static void *tries(void *argument) {
    (void)argument;
    struct timespec soon;
    clock_gettime(CLOCK_REALTIME, &soon);
    soon.tv_nsec += 2000000;
    if (soon.tv_nsec >= 1000000000) soon.tv_nsec -= 1000000000, ++soon.tv_sec;
    const int read = pthread_rwlock_tryrdlock(&lock), write = pthread_rwlock_trywrlock(&lock);
    printf("%s %s", strerror(read), strerror(write));
    if (!read) pthread_rwlock_unlock(&lock);
    printf(" %s", strerror(pthread_rwlock_timedwrlock(&lock, &soon)));
    if (read) printf(" %s", strerror(pthread_rwlock_timedrdlock(&lock, &soon)));
    puts("");
    return NULL;
}

static pthread_barrier_t barrier;
static int cells[THREADS], serial[ROUNDS], wrong;
static void *meets(void *argument) {
    const int mine = (int)(long)argument;
    for (int round = 0; round < ROUNDS; ++round) {
        cells[mine] = round;
        if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) __atomic_fetch_add(&serial[round], 1, __ATOMIC_RELAXED);
        for (int i = 0; i < THREADS; ++i)
            if (cells[i] != round) __atomic_fetch_add(&wrong, 1, __ATOMIC_RELAXED);
        pthread_barrier_wait(&barrier);
    }
    return NULL;
}
/* More threads than it waits for. */
static int groups, tickets;
static void *meets_anyone(void *argument) {
    while (__atomic_fetch_add(&tickets, 1, __ATOMIC_RELAXED) < 900)
        if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) __atomic_fetch_add(&groups, 1, __ATOMIC_RELAXED);
    return argument;
}

static pthread_spinlock_t spin;
static long spun;
static void *spins(void *argument) {
    for (int i = 0; i < ROUNDS; ++i) {
        pthread_spin_lock(&spin);
        ++spun;
        pthread_spin_unlock(&spin);
    }
    return argument;
}

int main(void) {
    pthread_t threads[THREADS];
    for (long i = 0; i < THREADS; ++i) pthread_create(&threads[i], NULL, reads_or_writes, (void *)i);
    for (int i = 0; i < THREADS; ++i) pthread_join(threads[i], NULL);
    printf("written %d %d torn %d\n", a, b, torn);

    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_rdlock(&lock);
    pthread_create(&threads[0], NULL, tries, NULL);
    pthread_join(threads[0], NULL);
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_wrlock(&lock);
    pthread_create(&threads[0], NULL, tries, NULL);
    pthread_join(threads[0], NULL);
    pthread_rwlock_unlock(&lock);
    printf("destroy %d\n", pthread_rwlock_destroy(&lock));

    pthread_rwlockattr_t attributes;
    pthread_rwlockattr_init(&attributes);
    pthread_rwlock_init(&lock, &attributes);
    pthread_rwlockattr_destroy(&attributes);
    a = b = 0;
    for (long i = 0; i < THREADS; ++i) pthread_create(&threads[i], NULL, reads_or_writes, (void *)i);
    for (int i = 0; i < THREADS; ++i) pthread_join(threads[i], NULL);
    printf("written %d %d torn %d\n", a, b, torn);

    printf("barrier %s %d\n", strerror(pthread_barrier_init(&barrier, NULL, 0)), pthread_barrier_init(&barrier, NULL, THREADS));
    for (long i = 0; i < THREADS; ++i) pthread_create(&threads[i], NULL, meets, (void *)i);
    for (int i = 0; i < THREADS; ++i) pthread_join(threads[i], NULL);
    int once = 0;
    for (int i = 0; i < ROUNDS; ++i) once += serial[i] == 1;
    printf("rounds %d wrong %d destroy %d\n", once, wrong, pthread_barrier_destroy(&barrier));
    pthread_barrier_init(&barrier, NULL, 3);
    for (int i = 0; i < 9; ++i) pthread_create(&threads[i], NULL, meets_anyone, NULL);
    for (int i = 0; i < 9; ++i) pthread_join(threads[i], NULL);
    printf("groups %d destroy %d\n", groups, pthread_barrier_destroy(&barrier));
    pthread_barrier_init(&barrier, NULL, 1);
    printf("alone %d\n", pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD);

    pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
    for (int i = 0; i < THREADS; ++i) pthread_create(&threads[i], NULL, spins, NULL);
    for (int i = 0; i < THREADS; ++i) pthread_join(threads[i], NULL);
    pthread_spin_lock(&spin);
    printf("spun %ld %s %d\n", spun, strerror(pthread_spin_trylock(&spin)), pthread_spin_unlock(&spin));
    return 0;
}
