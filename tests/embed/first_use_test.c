/* first_use_test.c: threads that use the library for the first time in their process at the same moment find the same devices. */
#include <mog.h>
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 6 };
static pthread_barrier_t start;

static void count(void *user, const mog_device *device)
{
    (void)device;
    ++*(int *)user;
}

static void *look(void *found)
{
    pthread_barrier_wait(&start);
    mog_list_devices(NULL, count, found, NULL);
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    int found[THREADS] = {0};
    int wrong = 0;
    pthread_barrier_init(&start, NULL, THREADS);
    for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, look, &found[i]);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++) {
        if (found[i] == found[0] && found[i] > 0) continue;
        fprintf(stderr, "thread %d found %d devices, thread 0 %d\n", i, found[i], found[0]);
        wrong = 1;
    }
    return wrong;
}
