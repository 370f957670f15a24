/* c11_threads.c: C11's threads, mutexes, conditions and values of threads. */
#include <stdio.h>
#include <threads.h>
#include <time.h>

static mtx_t mutex;
static cnd_t condition;
static once_flag once = ONCE_FLAG_INIT;
static tss_t key;
static int made, counter, ready, destroyed;
static thread_local int own = 3;

static void make(void) { ++made; }
static void destroy(void *value) {
    mtx_lock(&mutex);
    destroyed += *(int *)value;
    mtx_unlock(&mutex);
}

static int work(void *argument) {
    const int number = *(int *)argument;
    call_once(&once, make);
    tss_set(key, argument);
    for (int i = 0; i < 1000; ++i) {
        mtx_lock(&mutex);
        ++counter;
        mtx_unlock(&mutex);
        if (i % 100 == 0) thrd_yield();
    }
    own += number;
    mtx_lock(&mutex);
    ++ready;
    cnd_signal(&condition);
    mtx_unlock(&mutex);
    if (number == 3) thrd_exit(-number);
    return tss_get(key) == argument ? own : 0;
}
static struct timespec in(long milliseconds) {
    struct timespec time;
    timespec_get(&time, TIME_UTC);
    time.tv_nsec += milliseconds * 1000000;
    time.tv_sec += time.tv_nsec / 1000000000;
    time.tv_nsec %= 1000000000;
    return time;
}
static int waits(void *argument) {
    struct timespec soon = in(3);
    const int busy = mtx_trylock(&mutex), late = mtx_timedlock(argument, &soon);
    return 10 * (busy == thrd_busy) + (late == thrd_timedout);
}
static int sleeps(void *argument) {
    struct timespec time = {0, 1000000};
    return thrd_sleep(&time, argument);
}

int main(void) {
    thrd_t threads[6];
    int numbers[6], result;
    printf("init %d %d %d\n", mtx_init(&mutex, mtx_plain) == thrd_success, cnd_init(&condition) == thrd_success,
           tss_create(&key, destroy) == thrd_success);
    for (int i = 0; i < 6; ++i) {
        numbers[i] = i + 1;
        if (thrd_create(&threads[i], work, &numbers[i]) != thrd_success) return 1;
    }
    mtx_lock(&mutex);
    while (ready < 6) cnd_wait(&condition, &mutex);
    mtx_unlock(&mutex);
    for (int i = 0; i < 6; ++i) {
        thrd_join(threads[i], &result);
        printf("%d ", result);
    }
    printf("counter %d made %d destroyed %d own %d\n", counter, made, destroyed, own);
    tss_delete(key);
    mtx_destroy(&mutex);

    mtx_init(&mutex, mtx_timed | mtx_recursive);
    printf("recursive %d %d", mtx_lock(&mutex), mtx_trylock(&mutex) == thrd_success);
    thrd_create(&threads[0], waits, &mutex);
    thrd_join(threads[0], &result);
    printf(" other %d", result);
    mtx_unlock(&mutex);
    struct timespec soon = in(3);
    printf(" wait %d\n", cnd_timedwait(&condition, &mutex, &soon) == thrd_timedout);
    mtx_unlock(&mutex);
    thrd_create(&threads[0], sleeps, NULL);
    printf("detach %d equal %d\n", thrd_detach(threads[0]) == thrd_success, thrd_equal(thrd_current(), thrd_current()) != 0);
    cnd_broadcast(&condition);
    cnd_destroy(&condition);
    mtx_destroy(&mutex);
    return 0;
}
